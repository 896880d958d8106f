/**
 * The host's half of the package: a few files that are loaded when they are first needed, instead of a hundred, since a process pays most
 * of a millisecond for each file that it loads. Packages stay imports.
 */

import { defineConfig } from 'vite'

/** What the plugin and the command both begin with: one file. Nothing of it needs DSH, since the command runs without. */
const CORE = [
  'catalog/', 'channels/channel', 'channels/lazy', 'rewrite/config', 'rewrite/prompt', 'text/fold', 'text/words', 'tools/rendering',
  'tools/contract', 'package-files', 'config', 'config-check', 'dense-config', 'json-schema', 'patterns', 'retrieval-defaults',
]

/** What every search needs: one file, which nothing imports before there is a search. */
const SEARCH = [
  'retriever', 'fusion', 'results', 'evidence-trust', 'weak-memo', 'channels/(?!dense)', 'gloss/', 'query/(?!name-list)', 'semantic/', 'text/', 'vectors/', 'wasm/',
]

const group = (name: string, modules: readonly string[]) => ({ name, test: new RegExp(`/src/(?:${modules.join('|')})`) })

export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'lib',
    emptyOutDir: false,
    target: 'node22',
    minify: false,
    ssr: true,
    rolldownOptions: {
      // The worker is an entry of its own, at its place in `src`: it is started by its file.
      input: { 'index': 'src/index.ts', 'cli': 'src/cli.ts', 'embedding/e5-worker': 'src/embedding/e5-worker.ts' },
      // All chunks are in one folder: src/package-files.ts finds the package's files from there.
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: { groups: [group('core', CORE), group('search', SEARCH)] },
      },
    },
  },
})
