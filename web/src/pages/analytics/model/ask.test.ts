import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, type FakeRequest } from '@/api/fake-api'
import type { ChartRequest } from './definition'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

interface Body {
  q?: string
  filter_group?: { logic: string; filters: unknown[] }
  customCharts: ChartRequest[]
}

const bodyOf = ({ body }: FakeRequest) => body as Body
const now = Date.parse('2026-01-08T12:00:00Z')
const average: ChartRequest = { id: 'latency', title: '', chartType: 'line', metric: 'avg', metricField: 'latency_ms', timeSeries: true }
const byModel: ChartRequest = { id: 'models', title: '', chartType: 'pie', metric: 'count', groupByField: 'engine', limit: 1 }

/** Answers each chart with one row that names the number of the request. */
async function ask(...[state, charts, options]: Parameters<typeof import('./ask').askCharts>) {
  let count = 0
  const requests = await fakeApi((request) => {
    count += 1
    const row = { bucketKey: `part ${count}`, label: `part ${count}`, value: count }
    return { customCharts: bodyOf(request).customCharts.map(({ id }) => ({ id, series: [{ key: 'value', label: 'Value', unit: 'count' }], data: [row] })) }
  })
  const { askCharts } = await import('./ask')
  return { requests, ...(await askCharts(state, charts, { now, ...options })) }
}

describe('askCharts', () => {
  it('makes one request for a short range', async () => {
    const { requests, answers } = await ask({ range: '1h' }, [average])
    expect(requests).toHaveLength(1)
    expect([...answers.keys()]).toEqual(['latency'])
  })

  it('requests a week in parts and joins their rows in order', async () => {
    const { requests, answers, plan } = await ask({ range: '7d' }, [average])
    expect(plan.parts.length).toBeGreaterThan(1)
    expect(requests).toHaveLength(1 + plan.parts.length)
    expect(answers.get('latency')?.data.map(({ value }) => value)).toEqual(plan.parts.map((_, index) => index + 2))
  })

  it('does not request charts in parts that are not over time, or have their own buckets', async () => {
    const { requests, answers } = await ask({ range: '7d' }, [{ ...average, timeBucket: 'day' }])
    expect(requests).toHaveLength(1)
    expect(answers.get('latency')?.data).toHaveLength(1)
  })

  it('combines the query with the filter of the chart', async () => {
    const { requests: [request] } = await ask({ q: 'refund model:a', range: 'all' }, [average], { q: 'late status:ERROR' })
    const body = bodyOf(request as FakeRequest)
    expect(body.q).toBe('refund late')
    expect(body.filter_group?.filters).toHaveLength(2)
  })

  it('requests the total of a pie once, and adds the remainder', async () => {
    const { requests: [request], answers } = await ask({ range: '1h' }, [byModel, { ...byModel, id: 'other' }])
    const charts = bodyOf(request as FakeRequest).customCharts
    expect(charts.map(({ id }) => id)).toEqual(['models', 'other', 'total-count'])
    expect(charts[0]?.limit).toBe(100)
    expect([...answers.keys()]).toEqual(['models', 'other'])
    expect(answers.get('models')?.groups).toMatchObject({ shown: 1, all: 1 })
  })
})
