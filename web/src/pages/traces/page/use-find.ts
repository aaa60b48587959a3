import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { findSpans } from '../model/find'
import { textsQuery } from './data'
import type { TraceModel } from './use-trace'

/** What a search in the trace has found. */
export interface Finding {
  matches: readonly number[]
  state: 'searching' | 'failed' | 'done'
  /** The number of spans that were searched, if not all. */
  searched?: number
}

/** Searches in a trace. The texts of its spans are loaded when the search is first used. */
export function useFind(workspace: number, trace: string, version: number, { spans, tree }: TraceModel, find: string) {
  const [used, setUsed] = useState(false)
  const { data, isError } = useQuery({ ...textsQuery(workspace, trace, version), enabled: used || find !== '' })
  const findNow = useMemo(() => (text: string) => (data === undefined ? [] : findSpans(spans, tree, data.texts, text)), [spans, tree, data])
  const wanted = useDeferredValue(find)
  const matches = useMemo(() => findNow(wanted), [findNow, wanted])
  const finding: Finding = { matches, state: data !== undefined ? 'done' : isError ? 'failed' : 'searching', searched: data?.truncated ? data.texts.size : undefined }
  return {
    finding,
    /** The matches of the text as it is now: those that are marked may still be those of a shorter one. */
    current: () => (wanted === find ? matches : findNow(find)),
    use: () => setUsed(true),
  }
}
