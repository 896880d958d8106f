import { describe, expect, it } from 'vitest'

import { glosses } from '../../evaluation/gloss/senses.ts'

describe('glosses of dictionary definitions', () => {
  it.each([
    [['to hand over'], ['hand over']],
    [['(military) commander-in-chief', '(sports) team manager', 'coach'], ['commander-in-chief', 'team manager', 'coach']],
    [['the back row (in a theater etc); the rear seats (in a vehicle)'], ['back row', 'rear seats']],
    [['to visit sb at home'], ['visit at home']],
    [['tryptophan (Trp), an essential amino acid'], ['tryptophan']],
    [['fig. to suffer'], ['suffer']],
    [['café (loanword)'], ['cafe']],
    [['to order à la carte', 'to order à la carte'], ['order a la carte']],
  ])('of %j are %j', (definitions, expected) => {
    expect(glosses(definitions)).toEqual(expected)
  })

  it('leave out what translates nothing', () => {
    expect(glosses([
      'CL:個|个[ge4]', 'variant of 餐[can1]', 'old variant of 餐', 'surname Wang', 'see 明天[ming2 tian1]', 'also pr. [li3]', 'abbr. for 北京',
      'used in transliteration', '(particle)', 'an explanation that goes on for far too long to stand in for a word',
    ])).toEqual([])
  })
})
