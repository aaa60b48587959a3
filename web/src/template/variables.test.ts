import { describe, expect, it } from 'vitest'
import { jinjaVariables, parseFString, readValue, renderFString, renderPlainJinja, snippetRefs, templateVariables, textVariables } from './variables'

describe('f-strings', () => {
  it.each([
    ['Hi {name}, {name}', ['name']],
    ['{{not}} {yes}', ['yes']],
    ['{price:.2f} {who!r}', ['price', 'who']],
    ['{"json": 1}', ['"json"']],
    ['{}', []],
    ['lone }', []],
    ['open {', []],
    ['@@@tone@label:{prod}@@@ {x}', ['x']],
  ])('finds the variables of %s', (source, names) => expect(textVariables(source, 'f-string')).toEqual(names))

  it('reports why a text cannot be rendered', () => {
    expect(parseFString('a } b').problem).toContain('closing')
    expect(parseFString('a { b').problem).toContain('opening')
  })

  it('renders values', () => {
    expect(renderFString('{{a}} {b} {c} {"d": 1}', { b: 1, c: true })).toBe('{a} 1 True {"d": 1}')
    expect(renderFString('{missing}!', {})).toBe('!')
    expect(renderFString('broken {', { broken: 1 })).toBe('broken {')
  })
})

describe('Jinja', () => {
  it.each([
    ['{{ user.name }}', ['user']],
    ['{% for item in items %}{{ item.title }} {{ loop.index }}{% endfor %}', ['items']],
    ['{% if a and not b is defined %}{{ c | default("x") | upper }}{% endif %}', ['a', 'b', 'c']],
    ['{% set x = y %}{{ x }}', ['y']],
    ['{{ f(key=value) }}', ['f', 'value']],
    ['{# {{ no }} #}{% raw %}{{ no }}{% endraw %}', []],
    ['{{ "text" ~ who }}', ['who']],
  ])('finds the variables of %s', (source, names) => expect(jinjaVariables(source)).toEqual(names))

  it('renders plain names and leaves the rest', () => {
    expect(renderPlainJinja('{{ a }} {{ b.c }}', { a: 1, b: { c: 'x' } })).toEqual({ text: '1 x', exact: true })
    expect(renderPlainJinja('{{ a | upper }}', { a: 'x' })).toEqual({ text: '{{ a | upper }}', exact: false })
  })
})

it('parses snippet tags', () => {
  expect(snippetRefs('@@@a@@@ @@@b@version_number:2@@@ @@@c@label:prod@@@')).toEqual([
    { tag: '@@@a@@@', name: 'a' },
    { tag: '@@@b@version_number:2@@@', name: 'b', version: 2 },
    { tag: '@@@c@label:prod@@@', name: 'c', label: 'prod' },
  ])
})

it('finds the variables of a whole template', () => {
  expect(
    templateVariables({
      type: 'chat',
      messages: [
        { role: 'placeholder', name: 'history' },
        { role: 'user', template_format: 'jinja2', content: [{ type: 'text', text: '{{ b }} {c}' }, { type: 'media_variable', name: 'files' }] },
      ],
      tools: [{ type: 'variable', name: 'tools' }],
    }),
  ).toEqual(['b', 'files', 'tools', 'history'])
})

it('parses the typed value of a variable', () => {
  expect(readValue('[1, 2]')).toEqual([1, 2])
  expect(readValue('[not json')).toBe('[not json')
  expect(readValue('12')).toBe('12')
})
