/**
 * A stand-in with the file layout of an E5 model: Unigram tokenizer, BERT configuration, quantised ONNX graph. It has no semantics
 * (each piece has a seeded random vector), so it proves that the real loading, tokenising and pooling code runs, and nothing about quality.
 * @module
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../../evaluation/random.ts'

export const TINY_E5 = 'Xenova/multilingual-e5-small'

/** As in the real model. */
export const TINY_E5_DIMENSIONS = 384

const SPECIAL = ['<s>', '<pad>', '</s>', '<unk>']
const WORDS = 'query: passage: create delete issue event weather forecast calendar file image 天气 日历 文件 Wetter 天気'.split(' ')

/** Unigram pieces with their log probabilities: longer pieces are likelier than their characters one by one. */
function pieces(): (readonly [string, number])[] {
  const characters = new Set(Array.from(`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?_-/()"'${WORDS.join('')}`))
  return [
    ...SPECIAL.map(piece => [piece, 0] as const),
    ['▁', -2],
    ...WORDS.map(word => [`▁${word}`, -4] as const),
    ...Array.from(characters, character => [character, -8] as const),
  ]
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest)
      return Buffer.from(bytes)
    }
    bytes.push(rest % 128 + 128)
  }
}

/** A protobuf field: numbers are varints (wire type 0), all else is length-delimited (wire type 2). */
function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)])
  const content = Buffer.from(value as string)
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content])
}

const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)

const FLOAT = 1
const INT64 = 7

/** ONNX ValueInfoProto with symbolic and fixed dimensions. */
function valueInfo(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = message(...dimensions.map(size => field(1, typeof size === 'number' ? field(1, size) : field(2, size))))
  return message(field(1, name), field(2, field(1, message(field(1, type), field(2, shape)))))
}

/** ONNX ModelProto whose only node looks up one vector per token: `last_hidden_state = Gather(W, input_ids)`. */
function model(vocabulary: number): Buffer {
  const random = createRandom(1)
  const weights = Float32Array.from({ length: vocabulary * TINY_E5_DIMENSIONS }, () => random() - 0.5)
  const tensor = message(
    field(1, vocabulary), field(1, TINY_E5_DIMENSIONS), field(2, FLOAT), field(8, 'W'), field(9, Buffer.from(weights.buffer)),
  )
  const gather = message(field(1, 'W'), field(1, 'input_ids'), field(2, 'last_hidden_state'), field(3, 'lookup'), field(4, 'Gather'))
  const graph = message(
    field(1, gather),
    field(2, 'tiny'),
    field(5, tensor),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map(name => field(11, valueInfo(name, INT64, ['batch', 'length']))),
    field(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'length', TINY_E5_DIMENSIONS])),
  )
  return message(field(1, 8), field(2, 'tiny-e5'), field(7, graph), field(8, message(field(1, ''), field(2, 13))))
}

function tokenizer(vocab: ReturnType<typeof pieces>): unknown {
  const metaspace = { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' }
  const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } })
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } })
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true,
    })),
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace] },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('<s>', 0), sequence('A'), special('</s>', 0)],
      pair: [special('<s>', 0), sequence('A'), special('</s>', 0), sequence('B'), special('</s>', 0)],
      special_tokens: Object.fromEntries(['<s>', '</s>'].map(id => [id, { id, ids: [SPECIAL.indexOf(id)], tokens: [id] }])),
    },
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: SPECIAL.indexOf('<unk>'), vocab },
  }
}

/**
 * Writes the stand-in, 200 kB, to `<folder>/Xenova/multilingual-e5-small`: what `dense.cacheDir` has after a download of the real one.
 */
export function writeTinyE5(folder: string): void {
  const root = join(folder, TINY_E5)
  const vocab = pieces()
  mkdirSync(join(root, 'onnx'), { recursive: true })
  writeFileSync(join(root, 'onnx', 'model_quantized.onnx'), model(vocab.length))
  const writeJson = (name: string, value: unknown): void => writeFileSync(join(root, name), JSON.stringify(value))
  writeJson('tokenizer.json', tokenizer(vocab))
  writeJson('tokenizer_config.json', {
    tokenizer_class: 'XLMRobertaTokenizer',
    bos_token: '<s>', eos_token: '</s>', cls_token: '<s>', sep_token: '</s>', pad_token: '<pad>', unk_token: '<unk>',
    model_max_length: 512,
    clean_up_tokenization_spaces: true,
  })
  writeJson('config.json', {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: TINY_E5_DIMENSIONS,
    num_hidden_layers: 1,
    num_attention_heads: 12,
    vocab_size: vocab.length,
    max_position_embeddings: 512,
    pad_token_id: 1,
  })
}
