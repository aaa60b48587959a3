import { expect, it } from 'vitest'
import { renderDraft } from './render'

it('renders values and snippets', () => {
  const { rendered, exact } = renderDraft(
    { type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi {name}. @@@tone@@@' }, { type: 'media_variable', name: 'x' }] }] },
    { name: 'Ann' },
    { '@@@tone@@@': 'Be {mood}$&.' },
  )
  expect(rendered).toEqual({ type: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi Ann. Be $&.' }, { type: 'media_variable', name: 'x' }] }] })
  expect(exact).toBe(true)
})

it('reports when only the server can render', () => {
  expect(renderDraft({ type: 'completion', template_format: 'jinja2', content: [{ type: 'text', text: '{% if a %}b{% endif %}' }] }, {}, {}).exact).toBe(false)
})
