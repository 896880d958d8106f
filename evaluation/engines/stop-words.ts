/**
 * The English stop words of the baseline: the list of the NLTK corpus, which its definition names, applied before stemming.
 * @module
 */

export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set([
  // pronouns
  "i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves he him his himself",
  "she she's her hers herself it it's its itself they them their theirs themselves what which who whom this that that'll these those",
  // auxiliaries
  'am is are was were be been being have has had having do does did doing can will should now',
  // articles, conjunctions, prepositions, adverbs
  'a an the and but if or because as until while of at by for with about against between into through during before after above below',
  'to from up down in out on off over under again further then once here there when where why how all any both each few more most',
  'other some such no nor not only own same so than too very just',
  // contractions and what is left of them when an apostrophe splits a word
  "s t d ll m o re ve y ma ain aren aren't couldn couldn't didn didn't doesn doesn't don don't hadn hadn't hasn hasn't haven haven't isn",
  "isn't mightn mightn't mustn mustn't needn needn't shan shan't should've shouldn shouldn't wasn wasn't weren weren't won won't",
  "wouldn wouldn't",
].join(' ').split(' '))
