import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useSession } from '@/api/session'
import { traces, type Field, type Suggestible } from './fields'
import { queryError, requestBody, traceBody, type QueryState } from './state'

/** Debounces a value. */
export function useSettled<Value>(value: Value, ms = 120): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

interface Ask {
  suggest: Suggestible | undefined
  key?: string
  prefix: string
  /** The query whose matches provide the values. */
  context: QueryState
}

/** The values of the matching logs, most frequent first. */
function useServerValues({ suggest, key, prefix, context }: Ask, enabled: boolean): string[] {
  const { workspace_id: workspace } = useSession()
  const settled = useSettled(prefix)
  const answer = useQuery({
    queryKey: ['w', workspace, 'suggestions', suggest, key, settled, context],
    queryFn: ({ signal }) => {
      const group = queryError(context) === null ? requestBody(context).filter_group : requestBody({ ...context, q: '' }).filter_group
      const query = {
        field: suggest as Suggestible, prefix: settled,
        ...(key === undefined ? {} : { metadata_key: key }),
        ...(group === undefined ? {} : { filter_group: JSON.stringify(group) }),
      }
      return call(api.GET('/api/public/v2/requests/suggestions', { params: { query }, signal }))
    },
    enabled: enabled && suggest !== undefined && (!suggest.endsWith('_values') || (key ?? '') !== ''),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
  return answer.data?.values ?? []
}

/** The API returns up to this many values of a field of traces. They are filtered here, because it takes no prefix. */
const mostTraceValues = 100

/** Whether the values of a field of traces can be suggested. */
function isInTraces(field: Field): boolean {
  return field.level !== undefined && (field.group_by === true || field.api === 'trace_run_by_user_id' || field.api === 'trace_session_id')
}

/** Whether values of the field are suggested. */
export function isSuggested(field: Field): boolean {
  return field.suggest !== undefined || field.values !== undefined || isInTraces(field)
}

/** The values of the matching traces: the last users and sessions, and the most frequent values of other fields. */
async function traceValues(field: Field, context: QueryState, signal: AbortSignal): Promise<string[]> {
  const body = { ...traceBody(queryError(context, traces) === null ? context : { ...context, q: undefined }), page: 1, per_page: mostTraceValues }
  if (field.api === 'trace_run_by_user_id') return (await call(api.POST('/api/public/v2/users/search', { body, signal }))).items.map((item) => item.user_id)
  if (field.api === 'trace_session_id') return (await call(api.POST('/api/public/v2/sessions/search', { body, signal }))).items.map((item) => item.session_id)
  const chart: Schemas['TraceChart'] = { id: 'values', chartType: 'bar', metric: 'count', groupByField: field.api as Schemas['TraceChart']['groupByField'], limit: mostTraceValues }
  const { filter_group, q } = body
  const { customCharts } = await call(api.POST('/api/public/v2/traces/analytics/custom-analytics', { body: { filter_group, q, customCharts: [chart] }, signal }))
  return (customCharts[0]?.data ?? []).map((row) => String((row as Record<string, unknown>).label))
}

function useTraceValues(field: Field | undefined, context: QueryState, enabled: boolean): string[] {
  const { workspace_id: workspace } = useSession()
  const answer = useQuery({
    queryKey: ['w', workspace, 'traces', 'suggestions', field?.api, context],
    queryFn: ({ signal }) => (field === undefined ? [] : traceValues(field, context, signal)),
    enabled: enabled && field !== undefined && field.values === undefined && isInTraces(field),
    staleTime: 30_000,
  })
  return answer.data ?? []
}

/** The suggested values of a field: its fixed values, or those of the matching logs or traces. */
export function useValues(field: Field | undefined, key: string | undefined, prefix: string, context: QueryState, enabled = true): string[] {
  const found = useServerValues({ suggest: field?.suggest, key, prefix, context }, enabled && field !== undefined)
  const foundInTraces = useTraceValues(field, context, enabled)
  if (field === undefined) return []
  const lower = prefix.toLowerCase()
  const fixed = field.type === 'boolean' ? ['true', 'false'] : field.values
  return (fixed ?? (field.suggest ? found : foundInTraces)).filter((value) => value.toLowerCase().startsWith(lower))
}

/** The suggested keys of a nested field. */
export function useKeys(field: Field | undefined, prefix: string, context: QueryState, enabled = true): string[] {
  const found = useServerValues({ suggest: field?.suggestKeys, prefix, context }, enabled && field?.suggestKeys !== undefined)
  return field?.suggestKeys === undefined ? [] : found.filter((key) => key.toLowerCase().startsWith(prefix.toLowerCase()))
}
