import { describe, expect, it } from 'vitest'
import { readSearch as alerts } from './pages/alerts/search'
import { readSearch as analytics } from './pages/analytics/search'
import { readSearch as datasets } from './pages/datasets/search'
import { readSearch as evaluations } from './pages/evaluations/search'
import { readSearch as playground } from './pages/playground/search'
import { readSearch as prompts } from './pages/prompts/search'
import { readSearch as requests } from './pages/requests/search'
import { readSearch as settings } from './pages/settings/search'
import { readSearch as skills, tabOf } from './pages/skills/search'
import { readSearch as tools } from './pages/tools/search'
import { readGroupSearch as sessions, readSearch as traces } from './pages/traces/search'
import { readSearch as workflows } from './pages/workflows/search'

const pages = { alerts, analytics, datasets, evaluations, playground, prompts, requests, sessions, settings, skills, tools, traces, workflows }

/** A link to each page with everything that it understands. */
const links: Record<keyof typeof pages, Record<string, unknown>> = {
  alerts: { new: 'budget', q: 'status:error', alert: 4, page: 2 },
  analytics: { q: 'status:error', range: '7d', by: 'engine', rank: 'cost', view: 3 },
  datasets: { q: 'jar', sort: 'name', dataset: 4, page: 2, row: 17 },
  evaluations: { q: 'x', status: 'deleted', sort: 'created', create: 'any', tab: 'compare', run: 5, compare: 4, page: 2, row: 1, changed: true },
  playground: { prompt: 12, version: 3 },
  prompts: { q: 'x', folder: 2, sort: 'updated', tab: 'ab-tests', version: 3, compare: 2, range: '24h' },
  requests: { q: 'model:gpt-4o', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', sort: 'cost', order: 'desc', columns: 'time,model', request: 9, tab: 'raw', live: true, view: 1 },
  sessions: { q: 'user:ann', range: 'all', sort: 'error_count', order: 'asc', page: 2, view: 3, tab: 'traces' },
  settings: { new: true, ended: true, kind: 'KEY', action: 'revoke', subject: 4, installation: true, before: 10, entry: 9, tab: 'list', find: 'gpt', page: 2, webhook: 3, state: 'dead' },
  skills: { q: 'x', version: 2, compare: 1, file: 'a/SKILL.md', tab: 'compare' },
  tools: { q: 'x', tab: 'test', version: 2, compare: 1, page: 3 },
  traces: { q: 'status:error', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', sort: 'trace_duration_ms', order: 'asc', page: 2, view: 3, span: '00f067aa0ba902b7', find: 'search' },
  workflows: { q: 'x', tab: 'runs', version: 2, run: 5, node: 'answer', status: 'SUCCESS', page: 2 },
}

describe.each(Object.entries(pages))('the search parameters of %s', (name, readSearch) => {
  const link = links[name as keyof typeof pages]

  it('keep a complete link', () => expect(readSearch(link)).toEqual(link))

  it('read the same from a URL, where everything is text', () => {
    const texts = Object.fromEntries(Object.entries(link).map(([key, value]) => [key, String(value)]))
    expect(readSearch(texts)).toEqual(link)
  })

  it('ignore what they do not understand', () => {
    const broken = Object.fromEntries(Object.keys(link).map((key) => [key, { nested: true }]))
    expect(readSearch({ ...broken, unknown: 'x' })).toEqual({})
  })
})

it.each([
  [{ version: 3, compare: 2 }, 'compare'], [{ compare: 2, tab: 'files' }, 'files'], [{ version: 3 }, 'files'], [{ tab: 'versions' }, 'versions'],
] as const)('skills: %j opens the tab %s', (search, tab) => expect(tabOf(search)).toBe(tab))
