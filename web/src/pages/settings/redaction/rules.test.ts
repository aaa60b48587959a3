import { describe, expect, it } from 'vitest'
import { draftOf, finds, isComplete, moved, nameProblem, ruleOf, sent, type Rule } from './rules'

const rules: Rule[] = [
  { name: 'mail', detector: 'email', action: 'hash', enabled: true },
  { name: 'reference', pattern: ' REF-[0-9]+', action: 'mask', enabled: false },
  { name: 'customer', path: 'metadata.customer', action: 'drop', enabled: true },
]

describe('the form of a rule', () => {
  it('returns the rule that it was made from', () => {
    for (const rule of rules) expect(ruleOf(draftOf(rule))).toEqual(rule)
  })

  it('names a detector without a name after what it finds', () => {
    const draft = draftOf(null)
    expect(isComplete(draft, [])).toBe(true)
    expect(ruleOf(draft)).toEqual({ name: 'email', detector: 'email', action: 'mask', enabled: true })
  })

  it('needs a name and a text for a regular expression', () => {
    const draft = { ...draftOf(null), matcher: 'pattern' as const }
    expect(isComplete(draft, [])).toBe(false)
    expect(isComplete({ ...draft, text: 'x' }, [])).toBe(false)
    expect(isComplete({ ...draft, text: 'x', name: 'a' }, [])).toBe(true)
  })

  it('explains names that the server would reject', () => {
    expect(nameProblem({ ...draftOf(null), name: 'a]' }, [])).toMatch(/Use letters/)
    expect(nameProblem({ ...draftOf(null), name: 'mail' }, ['mail'])).toMatch(/Another rule/)
    expect(nameProblem({ ...draftOf(null), name: 'mail 2' }, ['mail'])).toBeNull()
  })
})

it('describes what rules find', () => {
  expect(rules.map(finds)).toEqual(['E-mail addresses', ' REF-[0-9]+', 'metadata.customer'])
})

it('sends rules without their counts', () => {
  expect(sent([{ name: 'a', detector: 'ip', action: 'mask', enabled: true, replaced: 3 }])).toEqual([{ name: 'a', detector: 'ip', action: 'mask', enabled: true }])
})

it('moves a rule', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
