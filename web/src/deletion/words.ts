import type { Schemas } from '@/api/client'
import { bytes, count, dateTime } from '@/lib/format'
import { queryWords } from '@/query/stored'
import type { Tone } from '@/ui/badge'

type Deletion = Schemas['DeletionItem']

export function isActive({ state }: Pick<Deletion, 'state'>): boolean {
  return state === 'running' || state === 'reclaiming'
}

export const tones: Record<Deletion['state'], Tone> = { running: 'info', reclaiming: 'info', done: 'good', cancelled: 'warn', failed: 'bad' }

/** What a deletion is doing, or how it ended. */
export const stateWords: Record<Deletion['state'], string> = {
  running: 'deleting', reclaiming: 'removing from files', done: 'done', cancelled: 'cancelled', failed: 'failed',
}

/** The number of requests, such as "1 request" or "1,200 requests". */
export function requestCount(n: number): string {
  return `${count(n)} ${n === 1 ? 'request' : 'requests'}`
}

/** Which requests a deletion is about. */
export function subjectWords({ source, user_id, query, total }: Pick<Deletion, 'source' | 'user_id' | 'query' | 'total'>): string {
  if (user_id !== null) return `Everything of user ${user_id}`
  if (source === 'ids') return `${requestCount(total)} by ID`
  return queryWords(query)
}

/** What is deleted of requests, if they stay, such as "texts only". */
export function partWords({ texts_only, metadata_key, score_name }: Pick<Deletion, 'texts_only' | 'metadata_key' | 'score_name'>): string | null {
  if (metadata_key !== null) return `metadata key ${metadata_key} only`
  if (score_name !== null) return `score ${score_name} only`
  return texts_only ? 'texts only' : null
}

/** What a deletion deletes, for a certificate. */
export function scopeWords({ texts_only, metadata_key, score_name, delete_traces }: Pick<Deletion, 'texts_only' | 'metadata_key' | 'score_name' | 'delete_traces'>): string {
  const traces = delete_traces ? ', and the traces of the requests' : ''
  if (metadata_key !== null) return `The metadata key ${metadata_key} with all keys below it${traces}`
  if (score_name !== null) return `The score ${score_name}${traces}`
  return texts_only ? 'Texts: input, output, parameters, input variables, error message and traces' : 'Requests with everything that belongs to them, and their traces'
}

/** The facts of a certificate, in order. */
export function facts(one: Deletion): [label: string, value: string][] {
  return [
    ['Deletion', String(one.id)],
    ['State', stateWords[one.state]],
    ...(one.error === null ? [] : [['Error', one.error] as [string, string]]),
    ['Selected', subjectWords(one)],
    ['Deleted', scopeWords(one)],
    ['Requests', one.first_id === null || one.last_id === null ? '0' : `${count(one.logs)}, with IDs from ${one.first_id} to ${one.last_id}`],
    ...(one.traces > 0 ? [['Further traces', count(one.traces)] as [string, string]] : []),
    ['SHA-256 of the IDs', one.ids_sha256],
    ['Files rewritten', one.files === 0 ? '0' : `${count(one.files)}, ${bytes(one.bytes_before)} before and ${bytes(one.bytes_after)} afterwards`],
    ...(one.damaged_bytes > 0 ? [['Damaged parts', `${bytes(one.damaged_bytes)}, in which nothing could be searched for`] as [string, string]] : []),
    ['Started', `${dateTime(one.created_at)}${one.created_by === null ? '' : ` by ${one.created_by}`}`],
    ...(one.ended_at === null ? [] : [['Ended', dateTime(one.ended_at)] as [string, string]]),
  ]
}

/** What must be typed to confirm: the ID of the user, or the number of requests. */
export function confirmation(user: string | undefined, logs: number): string {
  return user ?? String(logs)
}

/** Whether the typed text confirms. A number may be typed as it is shown, with commas. */
export function confirms(typed: string, wanted: string): boolean {
  const text = typed.trim()
  return text === wanted || (/^\d+$/.test(wanted) && text.replaceAll(/[\s,]/g, '') === wanted)
}
