import { defineConfig } from 'vitest/config'

/** File for a machine-readable report beside the one for people; `.ci/run` asks for it. */
const report = process.env['VITEST_REPORT']

export default defineConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    testTimeout: 20_000,
    pool: 'forks',
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
})
