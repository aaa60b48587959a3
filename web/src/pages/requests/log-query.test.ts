import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeApi } from '@/api/fake-api'
import type { RequestItem } from '@/request/data'
import type { LogQuery } from './log-query'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const epoch = Date.parse('2026-01-02T00:00:00Z')
const log: LogQuery = { workspace: 1, state: { q: 'refund model:a', range: 'all' }, sort: 'cost', order: 'asc', epoch }
const item = (id: number, change: Partial<RequestItem> = {}) => ({ id, metadata: [], ...change }) as RequestItem
const model = { field: 'engine', operator: 'is', value: 'a' }

describe('pages of the log', () => {
  it('contain the query and the order', async () => {
    const requests = await fakeApi(() => ({ items: [], total: 0 }))
    const { pageQuery } = await import('./log-query')
    await new QueryClient().fetchQuery(pageQuery(log, 1))
    expect(requests[0]?.body).toMatchObject({ q: 'refund', sort_by: 'cost', sort_order: 'asc', page: 1, filter_group: { filters: [model] } })
  })

  it('can be ordered by a score', async () => {
    const requests = await fakeApi(() => ({ items: [], total: 0 }))
    const { pageQuery } = await import('./log-query')
    await new QueryClient().fetchQuery(pageQuery({ ...log, sort: 'score.of tone' }, 1))
    expect(requests[0]?.body).toMatchObject({ sort_by: 'scores', sort_nested_key: 'of tone', sort_order: 'asc' })
  })

  it('after the first exclude newer requests', async () => {
    const requests = await fakeApi(() => ({ items: [], total: 0 }))
    const { pageQuery } = await import('./log-query')
    await new QueryClient().fetchQuery(pageQuery(log, 2, '2026-01-01T12:00:00Z'))
    const end = { field: 'request_start_time', operator: 'between', value: ['0001-01-01T00:00:00Z', '2026-01-01T12:00:00Z'] }
    expect(requests[0]?.body).toMatchObject({ page: 2, filter_group: { logic: 'AND', filters: [end, model] } })
  })

  it('differ by query, order, time and page', async () => {
    await fakeApi(() => null)
    const { pageQuery } = await import('./log-query')
    const others: [LogQuery, number][] = [[log, 2], [{ ...log, order: 'desc' }, 1], [{ ...log, epoch: epoch + 1 }, 1], [{ ...log, workspace: 2 }, 1], [{ ...log, state: { ...log.state, q: 'x' } }, 1]]
    for (const [query, page] of others) expect(pageQuery(query, page).queryKey).not.toEqual(pageQuery(log, 1).queryKey)
  })
})

describe('items of the log', () => {
  it('are found and replaced in every loaded page of the workspace', async () => {
    await fakeApi(() => null)
    const { findItem, pageQuery, replaceItem } = await import('./log-query')
    const client = new QueryClient()
    const put = (query: LogQuery, ids: number[]) => client.setQueryData(pageQuery(query, 1).queryKey, { items: ids.map((id) => item(id)), total: ids.length } as never)
    put(log, [1, 2])
    put({ ...log, order: 'desc' }, [2])
    put({ ...log, workspace: 2 }, [3])
    expect([findItem(client, 1, 2)?.id, findItem(client, 1, 3), findItem(client, 2, 3)?.id]).toEqual([2, undefined, 3])
    replaceItem(client, 1, item(2, { status: 'ERROR' }))
    const statuses = [log, { ...log, order: 'desc' as const }].map((query) => client.getQueryData(pageQuery(query, 1).queryKey)?.items.map(({ status }) => status))
    expect(statuses).toEqual([[undefined, 'ERROR'], ['ERROR']])
  })

  it('have their metadata as one object', async () => {
    await fakeApi(() => null)
    const { metadataOf } = await import('./log-query')
    expect(metadataOf(item(1, { metadata: [{ env: 'prod' }, { user: 7 }, null, 'odd'] as never }))).toEqual({ env: 'prod', user: 7 })
  })
})
