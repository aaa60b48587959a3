import { expect, it } from 'vitest'
import { renderDraft } from '@/template/render'
import { emptyTemplate, textItem } from '@/template/types'
import { asKind, sessionOfLog, withTalk } from './start'

const said = (role: string, text: string) => ({ role, content: [textItem(text)] })

it('takes the input of a log verbatim', () => {
  const question = 'Read {"a": {x}} and }'
  const session = sessionOfLog({
    prompt_template: { type: 'chat', messages: [said('user', question), said('assistant', 'Done')] },
    metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 1 }, api_type: null, base_model: null } },
  })
  const { template } = session.shared
  expect(template).toMatchObject({ messages: [{ role: 'user', template_format: 'f-string' }] })
  expect(renderDraft(template, {}, {}).rendered).toMatchObject({ messages: [said('user', question)] })
  expect(session.columns[0]?.metadata).toEqual({ model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 1 } } })
})

it('keeps an input without an answer, and takes the text of a completion', () => {
  expect(sessionOfLog({ prompt_template: { type: 'chat', messages: [said('user', 'a')] } }).shared.template).toMatchObject({ messages: [{ role: 'user' }] })
  expect(sessionOfLog({ prompt_template: { type: 'completion', content: [textItem('a'), textItem('b')] } }).shared.template).toMatchObject({ content: [textItem('a')] })
})

it('converts a chat to a completion and back', () => {
  const completion = asKind({ type: 'chat', messages: [{ role: 'system', content: [textItem('a')] }, { role: 'user', content: [textItem('b')] }] }, 'completion')
  expect(completion).toEqual({ type: 'completion', content: [textItem('a\n\nb')], template_format: 'f-string' })
  expect(asKind(completion, 'chat')).toMatchObject({ messages: [{ role: 'user', content: [textItem('a\n\nb')] }] })
  const chat = emptyTemplate('chat')
  expect(asKind(chat, 'chat')).toBe(chat)
})

it('adds a conversation to the messages verbatim', () => {
  const template = withTalk({ type: 'chat', messages: [{ role: 'user', content: [textItem('{a}')] }] }, [{ role: 'assistant', content: [textItem('{b}')] }])
  expect(renderDraft(template, { a: 'x' }, {}).rendered).toMatchObject({ messages: [said('user', 'x'), said('assistant', '{b}')] })
})
