import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useSession } from '@/api/session'
import { rowsPerPage, rowsQuery, type Cell } from '@/evaluation/data'

/** The rows of a run, with the visible pages loaded, and reloaded while the run is in progress. */
export function useRunRows(run: number, running: boolean) {
  const { workspace_id: workspace } = useSession()
  const [pages, setPages] = useState<number[]>([1])
  const head = useQuery({ ...rowsQuery(workspace, run, 1, running), placeholderData: keepPreviousData })
  const loaded = useQueries({
    queries: pages.filter((page) => page > 1).map((page) => rowsQuery(workspace, run, page, running)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.page, data] as const] : []))),
  })
  /** Loads the pages that contain these rows. */
  const load = useCallback((indexes: number[]) => {
    const next = [...new Set(indexes.map((index) => Math.floor(index / rowsPerPage) + 1))]
    setPages((old) => (old.join() === next.join() ? old : next))
  }, [])
  const onRange = useCallback((first: number, last: number) => load([first, last]), [load])
  const first = head.data
  const rowAt = useMemo(
    () =>
      (index: number): Cell[] | undefined => {
        const number = Math.floor(index / rowsPerPage) + 1
        return (number === 1 ? first : loaded.get(number))?.rows[index % rowsPerPage]
      },
    [first, loaded],
  )
  return { columns: first?.columns, total: first?.total ?? 0, rowAt, onRange, load, error: head.error, retry: () => void head.refetch() }
}
