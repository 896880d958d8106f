/**
 * CC-CEDICT definitions to short English glosses: what is left is what an English tool definition could say.
 * @module
 */

/** A gloss longer than this explains the word instead of translating it. */
const MAX_GLOSS_LENGTH = 40

/** Definitions that point at another entry, or tell how a word is counted, said or used, and translate nothing. */
const REFERENCES = new RegExp('^(?:' + [
  '(?:old |archaic |erhua |popular |euphemistic |nonstandard |japanese |taiwan |unofficial |common |corrupted |erroneous |ancient )*variant ',
  'cl:', 'surname ', 'see ', 'see also ', 'also written', 'also pr', 'also called', 'also known', 'also transcribed', 'taiwan pr', 'pr\\.',
  'abbr\\. (?:for|to|of)', 'abbreviation (?:for|of)', 'used (?:in|as|to|before|after|for|at|with)', 'particle ', 'classifier ', 'measure word',
  'contraction of', 'equivalent to', 'same as', 'radical in', 'kangxi radical', 'component', 'interjection', 'prefix ', 'suffix ',
  'indicates ', 'indicating ', 'expresses ', 'expressing ', 'modal particle', 'grammatical', 'phonetic ', 'place name',
].join('|') + ')')

/** Words of dictionary style that carry nothing: the placeholders for a person and a thing. */
const PLACEHOLDERS = /\b(?:sb's|sth's|one's|oneself|sb|sth|etc)\b\.?/g

/** Openings of dictionary style; they come in any order and number. */
const OPENING = /^(?:to be |to |a |an |the |of |in |by |lit\. |fig\. |esp\. |e\.g\. |i\.e\. |usu\. )/

/** What follows a comma and only explains what stands before it. */
const APPOSITION = /, (?:an?|the|esp\.?|especially|i\.e\.|e\.g\.|usu\.|usually|such as|used|one of|also|as in|in|from|part of|etc\.?)(?: .*)?$/

/** Takes out what brackets hold, from the inside out. */
function withoutBrackets(text: string): string {
  const stripped = text.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, ' ')
  return stripped === text ? text : withoutBrackets(stripped)
}

function withoutOpening(text: string): string {
  const stripped = text.replace(OPENING, '').trimStart()
  return stripped === text ? text : withoutOpening(stripped)
}

/** One gloss in plain lower-case ASCII, or `''` when the text translates nothing. */
function gloss(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
  if (REFERENCES.test(plain)) return ''
  const whole = withoutOpening(plain.replace(PLACEHOLDERS, ' ').replace(/ +/g, ' ').trim()).replace(APPOSITION, '')
  const short = whole.length <= MAX_GLOSS_LENGTH ? whole : whole.replace(/,.*/, '')
  const words = short.replace(/[^a-z0-9'+#.-]+/g, ' ').replace(/(?<![a-z0-9])['.-]+|['.-]+(?![a-z0-9])/g, ' ').replace(/ +/g, ' ').trim()
  return words.length <= MAX_GLOSS_LENGTH && /[a-z]/.test(words) ? words : ''
}

/** The distinct glosses of one entry's definitions, in the dictionary's order, which is most usual first. */
export function glosses(definitions: readonly string[]): string[] {
  const found = definitions.flatMap(definition => withoutBrackets(definition).split(/[;/]/)).map(gloss).filter(text => text !== '')
  return [...new Set(found)]
}
