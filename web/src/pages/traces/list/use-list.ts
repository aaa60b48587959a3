import { useState } from 'react'
import { useSession } from '@/api/session'
import type { ListSearch } from '../search'
import type { ListQuery } from './list-query'

/** The current time. A separate function, because a query starts over during rendering. */
function now(): number {
  return Date.now()
}

/** The query of the URL, and a function to run it again at the current time. `usual` is the sort key of a URL without one. */
export function useListQuery<Sort extends string>({ q, range, from, to, sort, order = 'desc' }: ListSearch<Sort>, usual: Sort): [ListQuery<Sort>, refresh: () => void] {
  const { workspace_id: workspace } = useSession()
  const key = JSON.stringify([q, range, from, to, sort, order])
  const [asked, setAsked] = useState(key)
  const [epoch, setEpoch] = useState(now)
  if (asked !== key) {
    setAsked(key)
    setEpoch(now())
  }
  return [{ workspace, state: { q, range, from, to }, sort: sort ?? usual, order, epoch }, () => setEpoch(now())]
}
