/**
 * JSON Schema validation by ajv, loaded when something is validated for the first time: half of what a plugin without settings of its own
 * would load before any agent asks for anything.
 * @module
 */

import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/** A validator for draft 2020-12. Synchronous, since guards and configuration checks are. */
export function createAjv(options: Options): Ajv2020 {
  const { Ajv2020: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  return new Ajv(options)
}
