import { describe, expect, it } from 'vitest'
import { readModel, textItem, type PromptTemplate } from '@/template/types'
import { addColumn, chooseModel, everything, fingerprint, isEdited, mostColumns, newSession, removeColumn, scriptOf, separate, setScript, share, type Script } from './session'

const say = (text: string): PromptTemplate => ({ type: 'chat', messages: [{ role: 'user', content: [textItem(text)] }] })
const script = (text: string): Script => ({ template: say(text), source: null })
const model = { model: { provider: 'openai', name: 'gpt-4o', parameters: { temperature: 0 }, api_type: 'responses' } }
const start = () => newSession(script('one'), model)

describe('columns', () => {
  it('share their messages until separated', () => {
    let session = addColumn(start(), 1)
    expect(session.columns.map(({ id }) => id)).toEqual([1, 2])
    session = setScript(session, 2, script('both'))
    expect(session.columns.map((column) => scriptOf(session, column).template)).toEqual([say('both'), say('both')])
    session = setScript(separate(session, 2), 2, script('mine'))
    expect(session.columns.map((column) => scriptOf(session, column).template)).toEqual([say('both'), say('mine')])
  })

  it('can share messages again', () => {
    const session = addColumn(start(), 1, { own: script('mine') })
    expect(share(session, 2).shared.template).toEqual(say('one'))
    expect(share(separate(session, 1), 2).shared.template).toEqual(say('mine'))
  })

  it('are added after their origin, up to a limit', () => {
    let session = addColumn(addColumn(start(), 1), 1)
    expect(session.columns.map(({ id }) => id)).toEqual([1, 3, 2])
    for (let tries = 0; tries < 5; tries++) session = addColumn(session, 1)
    expect(session.columns).toHaveLength(mostColumns)
  })

  it('keep the messages of the last column', () => {
    const session = removeColumn(addColumn(start(), 1, { own: script('mine') }), 1)
    expect(session.shared.template).toEqual(say('mine'))
    expect(session.columns[0]?.own).toBeNull()
    expect(removeColumn(session, 2)).toBe(session)
  })
})

it('reports whether messages were edited', () => {
  const template = say('one')
  const source = { prompt: 1, name: 'a', version: 1, print: fingerprint(template) }
  expect(isEdited({ template: { ...template, input_variables: ['x'] }, source })).toBe(false)
  expect(isEdited({ template: say('two'), source })).toBe(true)
  expect(isEdited({ template, source: null })).toBe(false)
})

it('keeps the parameters when the model changes', () => {
  expect(readModel(chooseModel(model, 'anthropic', 'claude'))).toEqual({ provider: 'anthropic', name: 'claude', parameters: { temperature: 0 } })
})

it('joins the messages of all columns', () => {
  const completion: PromptTemplate = { type: 'completion', content: [textItem('{{ b }}')], template_format: 'jinja2' }
  const session = addColumn(start(), 1, { own: { template: completion, source: null } })
  expect(everything(session)).toMatchObject({ messages: [{ content: [{ text: 'one' }] }, { template_format: 'jinja2', content: [{ text: '{{ b }}' }] }] })
})
