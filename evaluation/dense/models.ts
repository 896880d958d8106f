/**
 * The models that are measured: known ones by a short name, any other by its id or address.
 * @module
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_MODEL, resolveDense } from '../../src/dense-config.ts'
import type { DenseConfig } from '../../src/dense-config.ts'
import { TEACHER_PACKAGE, unpackedFolder } from '../semantic/packages.ts'
import { PROJECT_ROOT } from '../sets.ts'

/** Models that are downloaded, and all vectors; ignored by git. */
export const CACHE_FOLDER = join(PROJECT_ROOT, '.cache', 'dense')

export interface MeasuredModel {
  /** Names its file of measurements. */
  readonly id: string
  readonly label: string
  readonly config: DenseConfig
  /** Folder that holds `<model>/…`. */
  readonly modelFolder: string
}

export interface ModelOptions {
  /** `minilm`, `e5`, a Hugging Face id, or with `url` the endpoint's name of the model. */
  readonly model: string
  readonly dtype?: string
  readonly url?: string
  readonly apiKeyEnv?: string
  readonly offline?: boolean
  /** Folder of models; what is downloaded goes there. */
  readonly models?: string
}

/** Models that the report has a column for, measured or not. */
export const REPORTED = [
  { id: 'minilm', label: 'all-MiniLM-L6-v2 q4 (English)' },
  { id: 'e5', label: 'multilingual-e5-small q8' },
] as const

/** @returns what the plugin would make of the same configuration, with all patience. */
export function measuredModel({ model, dtype, url, apiKeyEnv, offline, models }: ModelOptions): MeasuredModel {
  const known = REPORTED.find(({ id }) => id === model)
  const common = { cacheDir: CACHE_FOLDER, wait: true, timeoutMs: 600_000, maxCacheMegabytes: 2_000 }
  if (url !== undefined) {
    const config = resolveDense({ ...common, provider: 'http', url, model, ...apiKeyEnv !== undefined && { apiKeyEnv } }) as DenseConfig
    return { id: fileName(model), label: model, config, modelFolder: '' }
  }
  // The English model is fetched with its SHA-256 checked; it is in no model hub's layout that could be downloaded here.
  const name = model === 'minilm' ? 'onnx-community/all-MiniLM-L6-v2-ONNX' : model === 'e5' ? DEFAULT_MODEL : model
  const weights = dtype ?? (model === 'minilm' ? 'q4' : 'q8')
  const modelFolder = model === 'minilm' ? join(unpackedFolder(TEACHER_PACKAGE), 'package', 'model') : models ?? CACHE_FOLDER
  const isOffline = model === 'minilm' || (offline ?? existsSync(join(modelFolder, name, 'config.json')))
  const config = resolveDense({ ...common, model: name, dtype: weights as DenseConfig['dtype'], offline: isOffline }) as DenseConfig
  return { id: known?.id ?? fileName(name), label: known?.label ?? `${name} ${weights}`, config, modelFolder }
}

function fileName(model: string): string {
  return model.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}
