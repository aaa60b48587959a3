import { defaultRange, narrow, type QueryState } from '@/query/state'

/** The query and time range of a page. */
export interface Shown extends QueryState {
  /** The range before zooming in. */
  back?: string
}

/** Zooms in to a range, and remembers the original one. */
export function zoomed(shown: Shown, from: number, to: number): Shown {
  return { ...narrow(shown, from, to), back: shown.back ?? (shown.from === undefined && shown.to === undefined ? (shown.range ?? defaultRange) : `${shown.from ?? ''}..${shown.to ?? ''}`) }
}

/** Zooms out to the original range. */
export function zoomedOut({ q, sources, back = defaultRange }: Shown): Shown {
  const [from, to] = back.split('..')
  if (to !== undefined) return { q, sources, from: from || undefined, to: to || undefined }
  return { q, sources, range: back === defaultRange ? undefined : back }
}
