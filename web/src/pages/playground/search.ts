import { readNumber } from '@/lib/search'

/** What the playground starts from: a version of a template, or a request log. */
export interface Search {
  prompt?: number
  version?: number
  request?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return readNumber(search, 'prompt', 'version', 'request')
}
