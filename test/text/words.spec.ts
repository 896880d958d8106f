import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldMarks, foldWidth } from '../../src/text/fold.ts'
import { identifierParts, runsOf } from '../../src/text/words.ts'

const texts = (text: string) => runsOf(text, 10_000).map(run => run.text)

describe('an identifier is split', () => {
  it.each([
    ['createIssue', ['create', 'Issue']],
    ['CreateIssue', ['Create', 'Issue']],
    ['HTMLParser2', ['HTML', 'Parser', '2']],
    ['parseHTML', ['parse', 'HTML']],
    ['oauth2', ['oauth', '2']],
    ['getURLsV2', ['get', 'URLs', 'V', '2']],
    ['userIDs', ['user', 'IDs']],
    ['ÉcoleÀParis', ['École', 'À', 'Paris']],
  ])('%s', (word, parts) => expect(identifierParts(word)).toEqual(parts))

  it.each(['issue', 'Issue', 'HTML', '2024', 'straße'])('but not the plain word %s', word => expect(identifierParts(word)).toEqual([word]))
})

describe('text is cut into runs', () => {
  it('at everything that is neither letter nor digit', () => {
    expect(texts('mcp__git-hub.create_issue (v2)')).toEqual(['mcp', 'git', 'hub', 'create', 'issue', 'v2'])
  })

  it('at the border of scripts that need no spaces', () => {
    expect(runsOf('用GitHub查询天气', 100).map(({ text, kind }) => [text, kind]))
      .toEqual([['用', 'dense'], ['GitHub', 'word'], ['查询天气', 'dense']])
  })

  it('with offsets into the width-folded text', () => {
    const text = 'ＡＢＣ 查询 weather'
    for (const { text: run, start } of runsOf(text, 100)) expect(foldWidth(text).slice(start, start + run.length)).toBe(run)
  })

  it('without encoded data, and with the words beside it', () => {
    expect(texts(`open ${'QUJD'.repeat(30)} file`)).toEqual(['open', 'file'])
  })

  it('up to the limit and no further', () => {
    expect(runsOf('one two three', 7).map(run => run.text)).toEqual(['one', 'two'])
  })
})

describe('one spelling for what reads the same', () => {
  it('full-width letters and ligatures', () => expect(foldWidth('ＧｉｔＨｕｂ ﬁle ｶﾅ')).toBe('GitHub file カナ'))
  it.each([['café', 'cafe'], ['Škoda', 'Skoda'], ['Łódź', 'Lodz'], ['straße', 'strasse'], ['đường', 'duong'], ['плюс', 'плюс']])('%s is %s', (written, folded) => {
    expect(foldMarks(written)).toBe(folded)
  })
})

it('every run is a stretch of the text, whatever the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
    const folded = foldWidth(text)
    for (const { text: run, start } of runsOf(text, 10_000)) expect(folded.startsWith(run, start)).toBe(true)
  }))
})
