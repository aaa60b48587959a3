import { describe, expect, it } from 'vitest'
import { exportPath, fromRoot, importPath } from './layout'

describe('layout', () => {
  it.each([
    [null, 'triage/SKILL.md', 'triage/SKILL.md'],
    ['somebody', 'a.md', 'a.md'],
    ['claude_code', 'CLAUDE.md', '.claude/CLAUDE.md'],
    ['claude_code', 'triage/SKILL.md', '.claude/skills/triage/SKILL.md'],
    ['claude_code', 'hooks/run.sh', '.claude/hooks/run.sh'],
    ['openai', 'triage/SKILL.md', '.agents/skills/triage/SKILL.md'],
    ['openclaw', 'triage/SKILL.md', '.openclaw/triage/SKILL.md'],
  ])('exports a file of %s from %s to %s', (provider, path, exported) => {
    expect(exportPath(provider, path)).toBe(exported)
    expect(importPath(exported)).toBe(path)
  })

  it.each([['.claude/skills/x.md', 'skills/x.md'], ['.claude/skills/hooks/a.sh', 'skills/hooks/a.sh'], ['src/.claude/a', 'src/.claude/a']])('imports %s as %s', (path, own) => expect(importPath(path)).toBe(own))

  it('maps pulled files to their paths from the root', () => {
    expect(fromRoot(['a/b.md', 'c.md'], 'openai', { '.agents/skills/a/b.md': 'B', '.agents/c.md': 'C' })).toEqual({ 'a/b.md': 'B', 'c.md': 'C' })
  })
})
