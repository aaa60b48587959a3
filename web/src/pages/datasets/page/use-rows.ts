import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useSession } from '@/api/session'
import { rowsPerPage, rowsQuery } from '@/dataset/data'

export interface Row {
  values: unknown[]
  /** The id of a row of a draft. */
  id?: string
}

/** The rows of a dataset, with the visible pages loaded. */
export function useRows(dataset: number, q: string, draft: boolean) {
  const { workspace_id: workspace } = useSession()
  const [pages, setPages] = useState<number[]>([])
  const head = useQuery({ ...rowsQuery(workspace, dataset, q, 1, draft), placeholderData: keepPreviousData })
  const loaded = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => rowsQuery(workspace, dataset, q, page, draft)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.page, data] as const] : []))),
  })
  const onRange = useCallback((first: number, last: number) => {
    const from = Math.floor(first / rowsPerPage) + 1
    const to = Math.floor(last / rowsPerPage) + 1
    const next = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    setPages((old) => (old.join() === next.join() ? old : next))
  }, [])
  const first = head.data
  const rowAt = useMemo(
    () =>
      (index: number): Row | undefined => {
        const number = Math.floor(index / rowsPerPage) + 1
        const page = number === 1 ? first : loaded.get(number)
        const cells = page?.rows[index % rowsPerPage]
        return cells && { values: cells.map(({ value }) => value), id: page?.row_ids?.[index % rowsPerPage] }
      },
    [first, loaded],
  )
  return { columns: first?.columns, total: first?.total ?? 0, rowAt, onRange, error: head.error, retry: () => void head.refetch(), stale: head.isPlaceholderData }
}
