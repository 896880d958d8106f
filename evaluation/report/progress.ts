/**
 * Progress of a long run: a bar on a terminal, one line per stage elsewhere. Standard output stays free for results.
 * @module
 */

import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** Begins a stage of so many steps and ends the one before. */
  stage(label: string, steps: number): void
  step(): void
  end(): void
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const interactive = stream.isTTY
  let bar: SingleBar | undefined
  let stage: { label: string; startedAt: number } | undefined

  const endStage = () => {
    bar?.stop()
    bar = undefined
    if (stage !== undefined && !interactive) {
      stream.write(`${stage.label}: ${((performance.now() - stage.startedAt) / 1000).toFixed(1)} s\n`)
    }
    stage = undefined
  }

  return {
    stage(label, steps) {
      endStage()
      stage = { label, startedAt: performance.now() }
      if (!interactive) return
      bar = new SingleBar({ format: `{bar} {value}/{total} ${label}`, stream, barsize: 24 }, Presets.shades_classic)
      bar.start(steps, 0)
    },
    step: () => bar?.increment(),
    end: endStage,
  }
}
