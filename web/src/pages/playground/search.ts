import { readNumber } from '@/lib/search'

/** Where the playground begins: with a version of a template, or with a request log. */
export interface Search {
  prompt?: number
  version?: number
  request?: number
}

export function readSearch(search: Record<string, unknown>): Search {
  return readNumber(search, 'prompt', 'version', 'request')
}
