import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useSession } from '@/api/session'
import { comparisonQuery, evaluationKey, fetchComparison, rowsPerPage, type Comparison } from '@/evaluation/data'
import { hasChanged } from './verdict'

type ComparedRow = Comparison['rows'][number]

/** All compared rows, with the visible pages loaded. */
export function useAllRows(comparison: Comparison) {
  const { workspace_id: workspace } = useSession()
  const [pages, setPages] = useState<number[]>([1])
  const loaded = useQueries({
    queries: pages.map((page) => comparisonQuery(workspace, comparison.before.id, comparison.after.id, page)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.page, data] as const] : []))),
  })
  const onRange = useCallback((first: number, last: number) => {
    const next = [...new Set([first, last].map((index) => Math.floor(index / rowsPerPage) + 1))]
    setPages((old) => (old.join() === next.join() ? old : next))
  }, [])
  const rowAt = (index: number): ComparedRow | undefined => loaded.get(Math.floor(index / rowsPerPage) + 1)?.rows[index % rowsPerPage]
  return { total: comparison.total, rowAt, onRange }
}

// The number of rows to search before asking the user whether to continue.
const step = 20 * rowsPerPage

/** The changed rows. The server has no such filter, so the rows are searched page by page. */
export function useChangedRows(comparison: Comparison) {
  const { workspace_id: workspace } = useSession()
  const [limit, setLimit] = useState(step)
  const { data, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [...evaluationKey(workspace, comparison.after.id), 'changed', comparison.before.id],
    queryFn: ({ pageParam, signal }) => fetchComparison(comparison.before.id, comparison.after.id, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.page < last.pages ? last.page + 1 : undefined),
    staleTime: 60_000,
  })
  const looked = Math.min((data?.pages.length ?? 0) * rowsPerPage, comparison.total)
  useEffect(() => {
    if (hasNextPage && !isFetching && looked < limit) void fetchNextPage()
  }, [hasNextPage, isFetching, looked, limit, fetchNextPage])
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows.filter(({ cells }) => hasChanged(cells))) ?? [], [data])
  return { rows, looked, busy: isFetching, goOn: hasNextPage && looked >= limit ? () => setLimit(limit + step) : undefined }
}
