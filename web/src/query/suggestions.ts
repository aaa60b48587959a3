import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import type { Field, Suggestible } from './fields'
import { queryError, requestBody, type QueryState } from './state'

/** Debounces a value. */
function useSettled<Value>(value: Value, ms = 120): Value {
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

/** The suggested values of a field: its fixed values, or those of the matching logs. */
export function useValues(field: Field | undefined, key: string | undefined, prefix: string, context: QueryState, enabled = true): string[] {
  const found = useServerValues({ suggest: field?.suggest, key, prefix, context }, enabled && field !== undefined)
  if (field === undefined) return []
  const lower = prefix.toLowerCase()
  const fixed = field.type === 'boolean' ? ['true', 'false'] : field.values
  return (fixed ?? (field.suggest ? found : [])).filter((value) => value.toLowerCase().startsWith(lower))
}

/** The suggested keys of a nested field. */
export function useKeys(field: Field | undefined, prefix: string, context: QueryState, enabled = true): string[] {
  const found = useServerValues({ suggest: field?.suggestKeys, prefix, context }, enabled && field?.suggestKeys !== undefined)
  return field?.suggestKeys === undefined ? [] : found.filter((key) => key.toLowerCase().startsWith(prefix.toLowerCase()))
}
