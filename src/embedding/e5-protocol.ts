/**
 * What the host thread and the model's thread say to each other.
 * @module
 */

/** What a model is loaded with; two channels with equal settings share one. */
export interface ModelSettings {
  readonly model: string
  readonly dtype: string
  readonly pooling: string
  readonly offline: boolean
  /** Absolute folder that holds `<model>/…`, and gets what is downloaded. */
  readonly cacheDir: string
  readonly threads: number
}

export type ToModel =
  | { readonly type: 'embed'; readonly job: number; readonly texts: readonly string[] }
  | { readonly type: 'close' }

export type FromModel =
  | { readonly type: 'loaded' }
  /** The texts' vectors one after the other. */
  | { readonly type: 'vectors'; readonly job: number; readonly size: number; readonly values: Float32Array }
  | { readonly type: 'failed'; readonly job: number; readonly reason: string }
  | { readonly type: 'unloadable'; readonly reason: string; readonly permanent: boolean }
