import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { pollDelay } from '../model/growth'
import { timelineOf, type Timeline } from '../model/timeline'
import { buildTree, sumUp, type Tree } from '../model/tree'
import { costsQuery, itemQuery, type OutlinedSpan, type TraceItem } from './data'
import { outlineQuery } from './trace-query'

/** A trace as the page shows it. */
export interface TraceModel {
  spans: readonly OutlinedSpan[]
  ids: readonly string[]
  tree: Tree
  timeline: Timeline
}

/** The trace and its totals. The spans are loaded again when the totals change. */
export function useTrace(workspace: number, id: string) {
  const trace = useQuery(outlineQuery(workspace, id))
  const item = useQuery(itemQuery(workspace, id))
  const { data, refetch } = trace
  const stamp = item.data ? [item.data.span_count, item.data.end_time, item.data.error_count, item.data.closed].join() : undefined
  const stampOfSpans = useRef<string>(undefined)
  const behind = data !== undefined && item.data != null && data.total < item.data.span_count
  useEffect(() => {
    if (stamp === undefined || stamp === stampOfSpans.current) return
    if (stampOfSpans.current !== undefined || behind) void refetch()
    stampOfSpans.current = stamp
  }, [stamp, behind, refetch])
  const model = useMemo(() => data && modelOf(data.spans), [data])
  return { trace, item: item.data ?? null, model, growing: item.data != null && pollDelay(item.data, item.dataUpdatedAt) !== false }
}

function modelOf(spans: readonly OutlinedSpan[]): TraceModel {
  return { spans, ids: spans.map(({ span_id }) => span_id), tree: buildTree(spans), timeline: timelineOf(spans) }
}

/** With more requests, only the totals of the trace are shown: the API returns 25 requests at a time. */
const mostRequests = 500
const mostWhileGrowing = 100

/** The cost and tokens of each subtree; undefined where nothing is known. */
export interface Sums {
  dollars: (number | undefined)[]
  tokens: (number | undefined)[]
}

export function useSums(workspace: number, item: TraceItem | null, model: TraceModel | undefined, growing: boolean): Sums | undefined {
  const requests = useMemo(() => model?.spans.filter(({ request_log_id }) => request_log_id !== null).length ?? 0, [model])
  const enabled = item !== null && requests > 0 && requests <= (growing ? mostWhileGrowing : mostRequests)
  const costs = useQuery({ ...costsQuery(workspace, item?.trace_id ?? '', requests), enabled }).data
  return useMemo(() => {
    if (costs === undefined || model === undefined || !enabled) return undefined
    const costOf = (index: number) => costs.get(model.spans[index]?.request_log_id ?? -1)
    return { dollars: sumUp(model.tree, (index) => costOf(index)?.dollars), tokens: sumUp(model.tree, (index) => costOf(index)?.tokens) }
  }, [costs, model, enabled])
}
