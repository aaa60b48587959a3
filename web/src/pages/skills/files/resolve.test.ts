import { expect, it } from 'vitest'
import { resolveLink } from './resolve'

it.each([
  ['a/SKILL.md', 'policy.md', 'a/policy.md'], ['a/SKILL.md', '../b/c.md#part', 'b/c.md'], ['SKILL.md', './x%20y.md', 'x y.md'], ['a/b.md', '/root.md', 'root.md'], ['a.md', '%zz', '%zz'],
])('resolves from %s the link %s to %s', (from, target, path) => expect(resolveLink(from, target)).toBe(path))
