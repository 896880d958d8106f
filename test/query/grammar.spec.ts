import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/query/grammar.ts'
import { cleanName, isIdentifierLike } from '../../src/query/name-list.ts'

const NATURAL = { kind: 'natural', names: [], families: [], required: [] }

describe('select:', () => {
  it.each([
    ['select:a,b', ['a', 'b']],
    ['select: a, b', ['a', 'b']],
    ['SELECT : a ,b,', ['a', 'b']],
    ['select:`a`, "b", \'c\', “d”, 「e」, 『f』, 《g》', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['select: "a, b"', ['a', 'b']],
    ['"select:a,b"', ['a', 'b']],
    ['(`select:a,b`)', ['a', 'b']],
    ['select:(a, b)', ['a', 'b']],
    ['select:["a", "b"]', ['a', 'b']],
    ['select:a(), b(x=1, y="z")', ['a', 'b']],
    ['select:a,a, a', ['a']],
    ['select:create_issue list_issues', ['create_issue', 'list_issues']],
    ['select:create_issue and list_issues', ['create_issue', 'list_issues']],
    ['select:create issue', ['create issue']],
    ['select: read, web search, fetch', ['read', 'web search', 'fetch']],
    ['select：ａ，ｂ。', ['a', 'b']],
    ['select:天气查询、新闻', ['天气查询', '新闻']],
    ['select:mcp__x__a\nmcp__x__b', ['mcp__x__a', 'mcp__x__b']],
    ['select:', []],
  ])('%j names %j', (query, names) => {
    expect(parseQuery(query)).toEqual({ ...NATURAL, kind: 'select', names, text: names.join(' ') })
  })

  it.each(['select: all rows of a table', '"select:a" is what I typed, not "b"', 'how do I select: a or b', 'please preselect:a', 'selection: a'])('%j is a sentence', (query) => {
    expect(parseQuery(query)).toEqual({ ...NATURAL, text: query })
  })
})

describe('bare names', () => {
  it.each([
    ['create_issue', ['create_issue']],
    ['`create_issue`', ['create_issue']],
    ['**create_issue**', ['create_issue']],
    ['“create_issue”.', ['create_issue']],
    ['「create_issue」', ['create_issue']],
    ['create_issue()', ['create_issue']],
    ['create_issue(title="a, b (c)")', ['create_issue']],
    ['(create_issue)', ['create_issue']],
    ['createIssue, list-issues', ['createIssue', 'list-issues']],
    ['createIssue list_issues', ['createIssue', 'list_issues']],
    ['create_issue and list_issues', ['create_issue', 'list_issues']],
    ['《create_issue》和《list_issues》', []],
    ['《create_issue》、《list_issues》', ['create_issue', 'list_issues']],
    ['ｃｒｅａｔｅ＿ｉｓｓｕｅ，', ['create_issue']],
    ['weather', ['weather']],
    ['weather, news', ['weather', 'news']],
    ['github/create_issue', ['github/create_issue']],
  ])('%j', (query, names) => {
    const { kind, names: found } = parseQuery(query)
    expect({ kind, found }).toEqual({ kind: 'natural', found: names })
  })

  it.each([
    'create issue', 'read write', 'use create_issue', 'create_issue please', 'weather in Paris, news', '帮我查询天气', '天气', 'C++', '1+1', 'C#', 'a/b c', 'https://x.org/a_b',
    'it\'s', 'what is 3.5 * 2?', '', '  ', '?!', '()', 'open "create_issue',
  ])('%j is not made of names', (query) => {
    expect(parseQuery(query).names).toEqual([])
  })
})

describe('server: and family:', () => {
  it.each([
    ['server:github create issue', ['github'], 'create issue'],
    ['create issue server:github', ['github'], 'create issue'],
    ['Server:GitHub, create issue', ['GitHub'], ', create issue'],
    ['(server:github) create issue', ['github'], '( ) create issue'],
    ['server:github,slack post', ['github', 'slack'], 'post'],
    ['server:github family:vcs x', ['github', 'vcs'], 'x'],
    ['server:"my server" x', ['my server'], 'x'],
    ['server:`github` x', ['github'], 'x'],
    ['server：github 创建', ['github'], '创建'],
    ['用server:github创建issue', ['github'], '用 创建issue'],
    ['family:财务 报表', ['财务'], '报表'],
    ['server:github.', ['github'], ''],
  ])('%j', (query, families, text) => {
    const { families: found, text: rest } = parseQuery(query)
    expect({ found, rest }).toEqual({ found: families, rest: text })
  })

  it('may stand beside names and beside select:', () => {
    expect(parseQuery('server:github create_issue')).toEqual({ ...NATURAL, names: ['create_issue'], families: ['github'], text: 'create_issue' })
    expect(parseQuery('server:github select:a,b')).toEqual({ ...NATURAL, kind: 'select', names: ['a', 'b'], families: ['github'], text: 'a b' })
  })

  it.each([
    'http://server:8080', 'connect to server:8080', 'ping server:localhost:3000', 'restart the server: it hangs', 'webserver:github', 'myfamily:x', 'server:/etc/hosts',
    'user@server:path/x', 'server:', 'a.server:x', 'family:user@example.com',
  ])('%j is natural language', (query) => {
    expect(parseQuery(query)).toMatchObject({ families: [], text: query })
  })
})

describe('+word', () => {
  it.each([
    ['find +issue now', ['issue'], 'find issue now'],
    ['+issue', ['issue'], 'issue'],
    ['+issue +github', ['issue', 'github'], 'issue github'],
    ['+"pull request" review', ['pull request'], 'pull request review'],
    ['查询 +天气', ['天气'], '查询 天气'],
    ['＋issue', ['issue'], 'issue'],
  ])('%j', (query, required, text) => {
    expect(parseQuery(query)).toMatchObject({ required, text })
  })

  it.each(['C++', 'C++ and D', '1+1', '1 + 1', '+1 555 1234', 'x +y = 3', 'a+b', 'me+tag@example.com', 'send to +me@example.com', '++i', '+', 'Google+', '+a=b'])(
    '%j is natural language', (query) => {
      expect(parseQuery(query)).toMatchObject({ required: [], text: query })
    })
})

describe('any query', () => {
  const fragment = fc.constantFrom('select:', 'server:', 'family:', '+', '"', '`', '“', '(', ')', '[', ',', ' ', '\n', 'a', 'create_issue', '，', '天', '.', '1', '://', '@')

  it('is read without an error, and natural language keeps every letter', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fragment, fc.string()), { maxLength: 40 }).map(parts => parts.join('')), (query) => {
      const { kind, names, families, text } = parseQuery(query)
      expect(names).toEqual([...new Set(names)])
      if (kind === 'natural' && families.length === 0) {
        const letters = (value: string): string => value.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')
        expect(letters(text)).toBe(letters(query))
      }
    }))
  })

  // A quadratic reading of these takes minutes, a linear one milliseconds: the suite's own time limit tells them apart.
  it.each(['a', '(', '"', '`', '“', '+', '+"', '+a', '+a_', 'server:', 'server:a,', 'server:"', 'select:', 'a(', '[(', 'a_', '1.', '「', '天', ' ', ','])(
    'is read in linear time: %j, again and again', (part) => {
      const query = part.repeat(300_000 / part.length)
      expect(parseQuery(query).kind).toBe(part === 'select:' ? 'select' : 'natural')
    })
})

describe('a word', () => {
  it.each(['create_issue', 'createIssue', 'CreateIssue', 'HTMLParser', 'oauth2', 'list-issues', 'file.read', '_private', '3d'])('%s looks like an identifier', (word) => {
    expect(isIdentifierLike(word)).toBe(true)
  })

  it.each(['issue', 'Issue', 'GITHUB', 'URLs', '42', '天气', '', '-', 'end.'])('%j does not', (word) => {
    expect(isIdentifierLike(word)).toBe(false)
  })

  it.each([
    ['`create_issue`', 'create_issue'], ['"a"', 'a'], ['(a)', 'a'], ['a()', 'a'], ['a(b, c)', 'a'], ['a,', 'a'], ['《a》。', 'a'], ['**a**:', 'a'], ['()', ''], ['…', ''],
  ])('%s is cleaned to %j', (written, name) => {
    expect(cleanName(written)).toBe(name)
  })
})
