import { describe, expect, it } from 'vitest'
import { judgeFormShows } from './judge-fields'
import { nodeTypes } from './node-types'
import { newScale, readScale } from './scale'
import { fillTemplate, templates } from './templates'

function named(name: string) {
  const found = templates.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no template ${name}`)
  return found
}

describe('templates', () => {
  it('judge a value, and use values with similar names', () => {
    expect(fillTemplate(named('Correctness'), 'answer', ['question', 'Expected reply', 'answer'])).toMatchObject({ source: 'answer', variable_mappings: { expected: 'Expected reply' } })
    expect(fillTemplate(named('Relevance'), 'a', ['my question', 'Question', 'a'])).toMatchObject({ variable_mappings: { question: 'Question' } })
  })

  it('leave unknown values to be chosen', () => expect(fillTemplate(named('Faithfulness'), 'context', ['context'])).toMatchObject({ source: 'context', variable_mappings: { context: '' } }))

  it('have types and forms', () => {
    for (const template of templates) {
      expect(nodeTypes[template.type]).toBeDefined()
      if (template.type === 'LLM_ASSERTION') expect([template.name, judgeFormShows(fillTemplate(template, 'a', []))]).toEqual([template.name, true])
    }
  })
})

describe('the form of judges', () => {
  const judge = { source: 'a', prompt: 'Is it good?' }

  it.each([
    [{}, true],
    [{ scale: newScale('range'), reason: true, rubric: 'x', model: { provider: 'openai', name: 'm' } }, true],
    [{ scale: { type: 'range', min: 0, max: 1, decimals: true } }, true],
    [{ scale: newScale('choices') }, true],
    [{ scale: { type: 'stars' } }, false],
    [{ scale: { type: 'range', min: '1', max: 5 } }, false],
    [{ scale: { type: 'choices', choices: ['a'] } }, false],
    [{ model: { provider: 'openai', name: 'm', parameters: {} } }, false],
    [{ model: 'm' }, false],
    [{ reason: 'yes' }, false],
    [{ other: 1 }, false],
  ])('%j', (members, shown) => expect(judgeFormShows({ ...judge, ...members })).toBe(shown))

  it('reads a missing scale as true or false', () => expect(readScale(undefined)).toEqual({ type: 'pass_fail' }))
})
