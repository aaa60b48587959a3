import { defaultRange, type QueryState } from '@/query/state'
import type { Search } from '../search'
import type { Shown } from '../zoom'

/** The query of the page: that of the URL or, if it has none, the saved one. */
export function shownQuery({ q, range, from, to }: Search, saved: QueryState): QueryState {
  const given = q !== undefined || range !== undefined || from !== undefined || to !== undefined
  return given ? { q: q === '' ? undefined : q, range: range === defaultRange ? undefined : range, from, to } : saved
}

/** The search parameters for a query. They are complete, so that a cleared query is not mistaken for none. */
export function addressOf({ q, range, from, to, sources, back }: Shown): Search {
  const fixed = from !== undefined || to !== undefined
  return { q: q ?? '', ...(fixed ? { from, to } : { range: range ?? defaultRange }), ...(sources === undefined ? {} : { sources }), ...(back === undefined ? {} : { back }) }
}

/** Reports whether the query is the saved one. */
export function isSaved(shown: QueryState, saved: QueryState): boolean {
  const text = ({ q, range, from, to }: QueryState) => JSON.stringify([q ?? '', from || to ? '' : (range ?? defaultRange), from ?? '', to ?? ''])
  return text(shown) === text(saved)
}
