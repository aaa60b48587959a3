import { api, call } from '@/api/client'
import { choosesSources, requestBody, type QueryState, type RequestBody } from '@/query/state'
import { joinParts, type Answer } from './answers'
import type { ChartRequest } from './definition'
import { planFor, type Plan } from './plan'
import { totalOf, withAllGroups, withRest } from './rest'

export interface Asked {
  answers: Map<string, Answer>
  plan: Plan
}

/**
 * Requests charts over the query combined with each chart's own filter. Time
 * series are requested in parts where that gives finer buckets. The responses
 * include the remainder of each total.
 */
export async function askCharts(shown: QueryState, charts: ChartRequest[], { q = '', signal, now = Date.now() }: { q?: string; signal?: AbortSignal; now?: number } = {}): Promise<Asked> {
  // A chart about some sources is about those, whatever the page leaves out.
  const state: QueryState = choosesSources({ q }) ? { ...shown, sources: 'all' } : shown
  const plan = planFor(state, now)
  // Several charts may need the same total.
  const totals = new Map(charts.map(totalOf).filter((total) => total !== undefined).map((total) => [total.id, total]))
  const found = await askInParts(state, plan, [...charts.map(withAllGroups), ...totals.values()], { q, signal, now })
  const answers = new Map<string, Answer>()
  for (const chart of charts) {
    const answer = found.get(chart.id)
    if (answer !== undefined) answers.set(chart.id, withRest(chart, answer, found.get(totalOf(chart)?.id ?? '')))
  }
  return { answers, plan }
}

async function askInParts(state: QueryState, plan: Plan, charts: ChartRequest[], { q, signal, now }: { q: string; signal?: AbortSignal; now: number }): Promise<Map<string, Answer>> {
  const own = requestBody({ q, range: 'all' })
  const inParts = plan.parts.length > 1 ? charts.filter(canBeAskedInParts) : []
  const [whole, ...parts] = await Promise.all([
    ask(joinBodies(requestBody(state, now), own), charts, signal),
    ...plan.parts.map(([from, to]) => ask(joinBodies(requestBody(between(state, from, to), now), own), inParts, signal)),
  ])
  const answers = new Map(whole.map((answer) => [answer.id, answer]))
  inParts.forEach(({ id }, index) => {
    const answer = answers.get(id)
    if (answer !== undefined) answers.set(id, joinParts(answer, parts.flatMap((part) => part[index] ?? [])))
  })
  return answers
}

/** The totals of a ratio cover the whole range; other time series are requested in parts. */
function canBeAskedInParts({ timeSeries, timeBucket, derivedInsights }: ChartRequest): boolean {
  return timeSeries === true && (timeBucket === undefined || timeBucket === 'auto') && derivedInsights === undefined
}

function between(state: QueryState, from: number, to: number | null): QueryState {
  return { q: state.q, sources: state.sources, from: new Date(from).toISOString(), ...(to === null ? {} : { to: new Date(to).toISOString() }) }
}

/** The filter that matches both bodies. */
function joinBodies(one: RequestBody, other: RequestBody): RequestBody {
  const q = [one.q, other.q].filter(Boolean).join(' ')
  const groups = [one.filter_group, other.filter_group].filter((group) => group !== undefined)
  return { ...(q === '' ? {} : { q }), ...(groups.length === 0 ? {} : { filter_group: { logic: 'AND', filters: groups } }) }
}

async function ask(body: RequestBody, customCharts: ChartRequest[], signal: AbortSignal | undefined): Promise<Answer[]> {
  if (customCharts.length === 0) return []
  const answer = await call(api.POST('/api/public/v2/requests/analytics/custom-analytics', { body: { ...body, customCharts }, signal }))
  return answer.customCharts
}
