import { expect, it } from 'vitest'
import { textItem, type PromptTemplate } from '@/template/types'
import { fingerprint, newSession, setMetadata, setScript, setTalk, type Session } from '../model/session'
import { obstacle, runBody, talkVariable } from './body'

const template: PromptTemplate = { type: 'chat', messages: [{ role: 'user', content: [textItem('Hi {name}')], input_variables: ['name'] }] }
const source = { prompt: 3, name: 'hello', version: 2, print: fingerprint(template) }
const model = { model: { provider: 'openai', name: 'gpt-4o' } }
const start = (): Session => ({ ...newSession({ template, source }, model), values: { name: 'Ann', list: '[1]', empty: '' } })

function body(session: Session) {
  const [column] = session.columns
  if (column === undefined) throw new Error('no column')
  return runBody(session, column)
}

it('links the log to the version while the messages are unchanged', () => {
  expect(body(start())).toEqual({
    prompt_template: { type: 'chat', messages: [{ role: 'user', content: [textItem('Hi {name}')] }] },
    metadata: model,
    input_variables: { name: 'Ann', list: [1] },
    prompt_name: 'hello',
    prompt_version: 2,
  })
  const edited = setScript(start(), 1, { source, template: { type: 'chat', messages: [{ role: 'user', content: [textItem('Hello')] }] } })
  expect(body(edited)).not.toHaveProperty('prompt_name')
})

it('sends the conversation in a placeholder', () => {
  const talk = [{ role: 'assistant' as const, content: [textItem('{not a variable}')], input_variables: [] }]
  const sent = body(setTalk(start(), 1, talk))
  expect(sent.prompt_template).toMatchObject({ messages: [{ role: 'user' }, { role: 'placeholder', name: talkVariable }] })
  expect(sent.input_variables[talkVariable]).toEqual([{ role: 'assistant', content: [textItem('{not a variable}')] }])
})

it('reports what is missing', () => {
  const session = setMetadata(start(), 1, null)
  const problem = (one: Session) => one.columns.map((column) => obstacle(one, column))[0]
  expect(problem(session)).toContain('model')
  expect(problem(setScript(start(), 1, { source: null, template: { type: 'chat', messages: [] } }))).toContain('message')
  expect(problem(start())).toBeNull()
})
