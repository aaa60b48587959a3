import { describe, expect, it } from 'vitest'
import { parseInline, parseMarkdown } from './markdown'

const text = (words: string) => ({ kind: 'text', text: words })
const paragraph = (words: string) => ({ kind: 'paragraph', content: [text(words)] })

describe('markdown', () => {
  it('parses front matter, headings and paragraphs', () => {
    expect(parseMarkdown('---\nname: "x"\ndescription: >\n  two\n  lines\n---\n# Title #\none\ntwo\n\n---\n')).toEqual([
      { kind: 'properties', entries: [{ name: 'name', value: 'x' }, { name: 'description', value: 'two lines' }] },
      { kind: 'heading', level: 1, content: [text('Title')] },
      paragraph('one\ntwo'),
      { kind: 'rule' },
    ])
  })

  it('parses nested lists, tasks and numbers', () => {
    expect(parseMarkdown('- a\n  - b\n- [x] c\n  goes on\n\n3. d\n4. e')).toEqual([
      { kind: 'list', start: null, items: [
        { checked: null, children: [paragraph('a'), { kind: 'list', start: null, items: [{ checked: null, children: [paragraph('b')] }] }] },
        { checked: true, children: [paragraph('c\ngoes on')] },
      ] },
      { kind: 'list', start: 3, items: [{ checked: null, children: [paragraph('d')] }, { checked: null, children: [paragraph('e')] }] },
    ])
  })

  it('keeps code verbatim', () => {
    expect(parseMarkdown('```sh\n# no heading\n- no list\n```\nafter')).toEqual([{ kind: 'code', language: 'sh', text: '# no heading\n- no list' }, paragraph('after')])
    expect(parseMarkdown('```\nnever closed')).toEqual([{ kind: 'code', language: '', text: 'never closed' }])
  })

  it('parses tables and quotes', () => {
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| 1 | x \\| y |\n\n> said\n> so')).toEqual([
      { kind: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], [text('x | y')]]] },
      { kind: 'quote', children: [paragraph('said\nso')] },
    ])
  })

  it('parses inline elements', () => {
    expect(parseInline('a `b*c*` **d _e_** [f](g.md) ![h](i.png) snake_case_name https://x.y/z.')).toEqual([
      text('a '), { kind: 'code', text: 'b*c*' }, text(' '),
      { kind: 'strong', children: [text('d '), { kind: 'emphasis', children: [text('e')] }] }, text(' '),
      { kind: 'link', target: 'g.md', children: [text('f')] }, text(' '), { kind: 'image', alt: 'h', target: 'i.png' },
      text(' snake_case_name '), { kind: 'link', target: 'https://x.y/z', children: [text('https://x.y/z')] }, text('.'),
    ])
  })

  it('keeps HTML as text', () => {
    expect(parseMarkdown('<script>alert(1)</script>')).toEqual([paragraph('<script>alert(1)</script>')])
  })

  it('is fast for text with many markup characters', () => {
    const start = performance.now()
    parseMarkdown('*'.repeat(3000) + ' ' + '[a]('.repeat(3000) + '`'.repeat(3000))
    parseMarkdown('> '.repeat(300) + 'deep')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
