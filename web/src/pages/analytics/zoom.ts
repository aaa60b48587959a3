import { defaultRange, narrow, type QueryState } from '@/query/state'

/** What of the query and its time a page shows. */
export interface Shown extends QueryState {
  /** The range before it was narrowed by dragging. */
  back?: string
}

/** Narrowed to a range, with what leads back to the one before. */
export function zoomed(shown: Shown, from: number, to: number): Shown {
  return { ...narrow(shown, from, to), back: shown.back ?? (shown.from === undefined && shown.to === undefined ? (shown.range ?? defaultRange) : `${shown.from ?? ''}..${shown.to ?? ''}`) }
}

/** As it was before it was narrowed by dragging. */
export function zoomedOut({ q, back = defaultRange }: Shown): Shown {
  const [from, to] = back.split('..')
  if (to !== undefined) return { q, from: from || undefined, to: to || undefined }
  return { q, range: back === defaultRange ? undefined : back }
}
