import { describe, expect, it } from 'vitest'
import { createAttempts } from '../../src/embedding/attempts.ts'
import { EmbeddingError } from '../../src/embedding/provider.ts'

function clocked() {
  let time = 0
  return { attempts: createAttempts(() => time), pass: (ms: number) => { time += ms } }
}

describe('attempts', () => {
  it('pause after a failure, twice as long after each, and say why', () => {
    const { attempts, pass } = clocked()
    attempts.check()
    attempts.failed(new Error('down'))
    expect(() => attempts.check()).toThrow('down (tried again in 1 s)')
    pass(1_000)
    attempts.check()
    attempts.failed(new Error('still down'))
    expect(() => attempts.check()).toThrow('still down (tried again in 2 s)')
  })

  it('begin anew after a success', () => {
    const { attempts, pass } = clocked()
    for (let failure = 0; failure < 10; failure++) {
      attempts.failed(new Error('down'))
      pass(300_000)
    }
    attempts.succeeded()
    attempts.failed(new Error('down'))
    expect(() => attempts.check()).toThrow('(tried again in 1 s)')
  })

  it('are over after twenty failures in a row', () => {
    const { attempts, pass } = clocked()
    for (let failure = 0; failure < 20; failure++) {
      attempts.check()
      attempts.failed(new Error('down'))
      pass(300_000)
    }
    pass(1_000_000_000)
    expect(() => attempts.check()).toThrow('down (failed 20 times in a row; reload the plugin to try again)')
  })

  it('are over at once when only a person can mend it', () => {
    const { attempts, pass } = clocked()
    attempts.failed(new EmbeddingError('no package', { permanent: true }))
    pass(1_000_000_000)
    expect(() => attempts.check()).toThrow(/^no package$/)
  })
})
