/**
 * Chinese words that hold a request together and say nothing about which tool is meant. Whole words of the segmentation, unlike the
 * noise phrases of the query plan, which are removed wherever they occur.
 * @module
 */

const FUNCTION_WORDS = [
  // Particles and conjunctions.
  '的 地 得 了 着 过 吗 呢 吧 啊 呀 么 和 与 及 或 或者 而 而且 但 但是 并 并且 以及 如果 因为 所以 那么 则 若 且',
  // Pronouns and demonstratives.
  '我 你 您 他 她 它 我们 你们 他们 自己 我的 你的 这 那 此 该 其 这个 那个 这些 那些 这里 那里 某 某个 各 每 每个',
  // Prepositions and the words that mark an object.
  '在 于 从 到 至 由 对 向 往 为 给 以 把 将 被 让 使 用 按 按照 根据 通过 关于 对于 针对 为了',
  // Position and time beside a noun.
  '上 下 中 里 内 外 前 后 时 之 之前 之后 以后 以前 期间 当 现在 目前 今天 明天 昨天 已经 正在 刚刚 随后 然后 接着 首先 其次 最后 同时 再 先 又 还 也 都 就 才 只',
  // Being, having, wanting, being able.
  '是 有 没有 没 不 无 非 要 想 想要 需要 能 能够 会 可以 可能 应该 必须 希望 打算 准备 麻烦 请 请问 谢谢 帮 帮我 帮忙',
  // Verbs that fit every tool.
  '进行 使用 利用 做 作 来 去 完成 所需 相关 具体 包括 包含 属于 名为 叫 叫做 称为 以下 如下 一下',
  // Counting words.
  '个 一 一个 一些 一份 一张 一条 一次 一种 一封 一篇 几 几个 多 多少 些 等 等等 所有 全部 任何 份 次 条 位 名 件 张',
  // Question words.
  '什么 怎么 怎样 怎么样 如何 为什么 哪 哪个 哪些 哪里 哪儿 谁 是否 能否 可否 能不能 可不可以 有没有 是不是',
].join(' ')

export const functionWords: ReadonlySet<string> = new Set(FUNCTION_WORDS.split(' '))
