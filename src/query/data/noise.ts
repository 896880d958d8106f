/**
 * Words of requests that say nothing about which tool is meant, with the weight that is left to them. Written from general knowledge of
 * how people ask assistants; one group, one kind of noise.
 * @module
 */

/** English words (before stemming) by remaining weight. */
export const NOISE_WORDS: readonly (readonly [weight: number, words: string])[] = [
  // Politeness, and asking at all.
  [0.3, 'please pls kindly thanks thank hello hi hey dear sorry appreciate grateful'],
  // Wanting and needing.
  [0.3, 'want wants wanted need needs needed would like wish hope looking look trying try help helps assist interested curious'],
  // Asking for an answer.
  [0.4, 'tell give show let know ask provide explain share see'],
  // Verbs that fit every tool; kept at half, since names of sibling tools differ by them.
  [0.5, 'get use using make take put do'],
  // Tools and tasks as such.
  [0.5, 'tool tools function functions task tasks able possible way ways thing things stuff'],
  // Time that belongs to the request, not to the tool.
  [0.4, 'today tomorrow yesterday tonight now currently recently soon later'],
  // Degree, manner and sequence.
  [0.3, 'first second third next finally lastly also then additionally furthermore well really just exactly specifically'],
]

/** Months and weekdays: argument values far more often than what a tool is about. */
export const CALENDAR_WORDS = [
  'january february march april june july august september october november december',
  'monday tuesday wednesday thursday friday saturday sunday',
].join(' ')

/** Phrases of languages written without spaces; they count nothing. */
export const NOISE_PHRASES: readonly string[] = [
  // Chinese: politeness and asking.
  '请问', '请', '麻烦你', '麻烦', '谢谢', '您好', '你好', '帮我', '帮忙', '帮助我', '告诉我', '给我', '为我', '替我', '能不能', '能否', '可以', '可不可以',
  // Chinese: wanting and needing.
  '我想要', '我想', '我需要', '我要', '我们需要', '我希望', '希望', '想要', '需要', '打算', '准备',
  // Chinese: sequence, degree and filler.
  '然后', '接着', '之后', '首先', '其次', '最后', '并且', '同时', '另外', '还有', '以及', '一下', '一个', '一些', '一份', '这个', '那个', '这些', '那些', '所有',
  // Chinese: question words and particles.
  '什么', '怎么', '如何', '多少', '哪些', '哪个', '是否', '吗', '呢', '吧', '的', '了', '我的', '你', '我', '您', '他', '她', '它', '我们', '你们', '他们',
  // Korean: asking endings.
  '해주세요', '해줘요', '해줘', '해 주세요', '해 줘', '알려주세요', '알려줘', '알려 주세요', '알려 줘', '보여줘', '보여주세요', '찾아줘', '찾아주세요',
  '싶어요', '싶어', '싶습니다', '부탁해', '부탁드립니다', '주세요', '해볼래', '할래', '좀', '인가요', '있어', '어때',
]
