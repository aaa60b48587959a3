import { useState } from 'react'
import { useSession } from '@/api/session'
import type { Search } from '../search'
import type { ListQuery } from './list-query'

/** The current time. A separate function, because a query starts over during rendering. */
function now(): number {
  return Date.now()
}

/** The query of the URL, and a function to run it again at the current time. */
export function useListQuery({ q, range, from, to, sort = 'trace_start', order = 'desc' }: Search): [ListQuery, refresh: () => void] {
  const { workspace_id: workspace } = useSession()
  const key = JSON.stringify([q, range, from, to, sort, order])
  const [asked, setAsked] = useState(key)
  const [epoch, setEpoch] = useState(now)
  if (asked !== key) {
    setAsked(key)
    setEpoch(now())
  }
  return [{ workspace, state: { q, range, from, to }, sort, order, epoch }, () => setEpoch(now())]
}
