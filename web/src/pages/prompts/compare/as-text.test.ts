import { expect, it } from 'vitest'
import { asText, yaml } from './as-text'

it('formats values like YAML', () => {
  expect(yaml({ a: 1, b: { c: 'x', d: [] }, e: [{ f: true, g: 'two\nlines' }, 'y'], h: '1' })).toBe(
    ['a: 1', 'b:', '  c: x', '  d: []', 'e:', '  - f: true', '    g: |', '      two', '      lines', '  - y', 'h: "1"'].join('\n'),
  )
})

it('formats a chat template', () => {
  const text = asText(
    {
      type: 'chat',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be {kind}.' }], name: null, input_variables: ['kind'], template_format: 'f-string' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{}' } }] },
        { role: 'user', template_format: 'jinja2', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,' + 'A'.repeat(300) } }] },
      ],
      tools: [{ type: 'variable', name: 'tools' }],
      functions: null,
    },
    { model: { provider: 'openai', name: 'gpt-4o', parameters: {}, api_type: null } },
  )
  expect(text).toContain('model:\n  provider: openai\n  name: gpt-4o')
  expect(text).toContain('── system ──\nBe {kind}.\n')
  expect(text).toContain('calls find (c1) with {}')
  expect(text).toContain('── user (jinja2) ──\n[image_url]')
  expect(text).toContain('(322 characters)')
  expect(text).toContain('── tools ──\ntools:\n  - type: variable\n    name: tools')
  expect(text).not.toContain('input_variables')
})

it('formats a completion', () => {
  expect(asText({ type: 'completion', content: [{ type: 'text', text: 'Hi' }] }, null)).toBe('── text ──\nHi\n')
})
