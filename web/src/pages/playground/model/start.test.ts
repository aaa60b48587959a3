import { expect, it } from 'vitest'
import type { Prompt } from '@/template/data'
import { renderDraft } from '@/template/render'
import { emptyTemplate, textItem } from '@/template/types'
import { answerOfLog, asKind, sessionOfLog, withTalk } from './start'

const said = (role: string, text: string) => ({ role, content: [textItem(text)] })

it('takes the input of a log verbatim', () => {
  const question = 'Read {"a": {x}} and }'
  const session = sessionOfLog({
    prompt_blueprint: {
      prompt_template: { type: 'chat', messages: [said('user', question), said('assistant', 'Done')] },
      metadata: { model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 1 }, api_type: null, base_model: null } },
    },
  })
  const { template } = session.shared
  expect(template).toMatchObject({ messages: [{ role: 'user', template_format: 'f-string' }] })
  expect(renderDraft(template, {}, {}).rendered).toMatchObject({ messages: [said('user', question)] })
  expect(session.columns[0]?.metadata).toEqual({ model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 1 } } })
})

it('keeps an input without an answer, and takes the text of a completion', () => {
  expect(sessionOfLog({ prompt_blueprint: { prompt_template: { type: 'chat', messages: [said('user', 'a')] } } }).shared.template).toMatchObject({ messages: [{ role: 'user' }] })
  expect(sessionOfLog({ prompt_blueprint: { prompt_template: { type: 'completion', content: [textItem('a'), textItem('b')] } } }).shared.template).toMatchObject({ content: [textItem('a')] })
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

it('takes the version of a log with its logged variables and model', () => {
  const template = { type: 'chat', messages: [{ role: 'user', content: [textItem('Where is {thing}?')] }] }
  const version = { id: 3, prompt_name: 'guide', version: 2, prompt_template: template, metadata: { model: { provider: 'openai', name: 'gpt-4o' } } } as unknown as Prompt
  const session = sessionOfLog({
    prompt_blueprint: { prompt_template: { type: 'chat', messages: [said('user', 'Where is rye?')] }, metadata: { model: { provider: 'anthropic', name: 'claude' } } },
    prompt_input_variables: { thing: 'rye', list: [1], n: 2 },
  }, version)
  expect(session.shared).toMatchObject({ template, source: { prompt: 3, name: 'guide', version: 2 } })
  expect(session.values).toEqual({ thing: 'rye', list: '[1]', n: '2' })
  expect(session.columns[0]?.metadata).toEqual({ model: { provider: 'anthropic', name: 'claude' } })
})

it('finds the answer of a log', () => {
  expect(answerOfLog({ prompt_template: { type: 'chat', messages: [said('user', 'a'), said('assistant', 'b')] } })).toMatchObject(said('assistant', 'b'))
  expect(answerOfLog({ prompt_template: { type: 'chat', messages: [said('user', 'a')] } })).toBeNull()
  expect(answerOfLog({ prompt_template: { type: 'completion', content: [textItem('a'), textItem('b')] } })).toMatchObject({ content: [textItem('b')] })
})
