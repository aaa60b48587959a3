import { describe, expect, it } from 'vitest'
import type { Schemas } from '@/api/client'
import { entityItems, entityTypes, pageItems, recentItems, requestItem, savedItems, settingsItems } from './palette-items'
import { sections } from './settings-sections'

const entity = (type: string, path: string[] = []) => ({ id: 7, type, name: 'x', path }) as unknown as Schemas['EntityItem']

describe('palette items', () => {
  it('open all kinds that the server is asked for', () => {
    const items = entityItems(2, entityTypes.map((type) => entity(type)), false)
    expect(items.map(({ href }) => href)).toEqual([
      '/2/prompts/7', '/2/prompts/7', '/2/workflows/7', '/2/datasets/7', '/2/evaluations/7', '/2/skills/7', '/2/tools/7', '/2/prompts?folder=7',
    ])
    expect(new Set(items.map(({ id }) => id)).size).toBe(entityTypes.length)
  })

  it('ignore unknown kinds', () => expect(entityItems(2, [entity('AB_TEST')], false)).toEqual([]))

  it('show the folder, but not the folder itself', () => {
    expect(entityItems(2, [entity('TOOL', ['a', 'b']), entity('FOLDER', ['a', 'x']), entity('TOOL')], false).map(({ note }) => note)).toEqual(['a / b', 'a', undefined])
  })

  it('of an earlier search match only by name', () => expect([true, false].map((stale) => entityItems(2, [entity('TOOL')], stale)[0]?.found)).toEqual([false, true]))

  it('have a link and a unique id each', () => {
    const items = [
      ...pageItems(2), ...settingsItems(2), requestItem(2, 9), ...recentItems([{ href: '/2/requests?request=9', title: 'Request 9' }, { href: '/2/nowhere', title: 'x' }]),
      ...savedItems(2, [{ id: 1, name: 'slow', page: 'requests' } as Schemas['ViewItem']], [{ id: 1, name: 'costs' } as Schemas['DashboardItem']]),
    ]
    expect(items.every(({ href }) => href?.startsWith('/2/'))).toBe(true)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    expect(settingsItems(2)).toHaveLength(sections.length)
  })

  it('of recent pages name their kind', () => expect(recentItems([{ href: '/2/prompts/5?tab=usage', title: 'a' }, { href: '/2/requests?request=9', title: 'b' }]).map(({ note }) => note)).toEqual(['prompt', 'request']))
})
