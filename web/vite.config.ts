/**
 * Builds the browser half as DSH's module loader takes it: one classic script that registers a factory, with React from the host.
 * @module
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const { name } = JSON.parse(readFileSync(path('../package.json'), 'utf8')) as { name: string }

/** What the page brings; anything else that is not ours would be a second copy. */
const EXTERNAL = ['react', 'react/jsx-runtime']

/** Wraps the CommonJS chunk last of all, so that nothing renames what the loader calls. */
const moduleFactory: Plugin = {
  name: 'dsh-module-factory',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      const foreign = chunk.moduleIds.find(id => id.includes('node_modules'))
      if (foreign !== undefined) this.error(`the browser half would bring ${foreign}`)
      chunk.code = `window.__ModuleLoader__.load({id:${JSON.stringify(name)},factory:require=>{const exports={};${chunk.code.trim()}\nreturn exports}});\n`
    }
  },
}

export default defineConfig({
  root: path('.'),
  publicDir: false,
  logLevel: 'warn',
  // The same for everyone: a NODE_ENV of the builder's, such as that of a test run, would bring React's development runtime.
  define: { 'process.env.NODE_ENV': '"production"' },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  plugins: [moduleFactory],
  build: {
    outDir: path('../lib'),
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: path('client.tsx'), formats: ['cjs'], fileName: () => 'client.js' },
    rolldownOptions: { external: EXTERNAL },
    reportCompressedSize: false,
  },
})
