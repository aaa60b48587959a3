import type { Schemas } from '@/api/client'
import { bytes, count, plural } from '@/lib/format'
import type { Tone } from '@/ui/badge'

export type Import = Schemas['ImportItem']
export type Counts = Schemas['ImportCounts']
export type Format = NonNullable<Schemas['UpdateImportRequest']['format']>

export const tones: Record<Import['state'], Tone> = { uploading: 'neutral', checking: 'info', checked: 'accent', running: 'info', done: 'good', cancelled: 'warn', failed: 'bad' }

/** The states as they are shown: the file of an import that is not checked may be complete. */
export function stateWords(state: Import['state']): string {
  return state === 'uploading' ? 'not checked' : state
}

export const formats: { value: Format; label: string; about: string }[] = [
  { value: 'promptuary', label: 'Promptuary', about: 'Exports of this program, and bodies of /log-request' },
  { value: 'promptlayer', label: 'PromptLayer', about: 'CSV files of PromptLayer' },
  { value: 'langfuse', label: 'Langfuse', about: 'Observations as JSON' },
  { value: 'openai', label: 'OpenAI', about: 'Requests and responses as JSON' },
  { value: 'csv', label: 'CSV', about: 'Any other table' },
]

/** How an import reads its file, as it is sent to change it. */
export function readingOf({ format, columns, defaults }: Pick<Import, 'format' | 'columns' | 'defaults'>): Schemas['UpdateImportRequest'] {
  return { format: formats.find(({ value }) => value === format)?.value, columns, defaults }
}

export type ServerRequest = Schemas['CreateServerImportRequest']

/** What can be imported from a server. */
export const serverParts: { value: ServerRequest['parts'][number]; label: string }[] = [
  { value: 'prompts', label: 'Prompts, with all versions and release labels' },
  { value: 'workflows', label: 'Workflows' },
  { value: 'datasets', label: 'Datasets' },
  { value: 'requests', label: 'Requests' },
]

/** What becomes of something whose name the workspace has already. */
export const conflicts: { value: NonNullable<ServerRequest['conflict']>; label: string; about: string }[] = [
  { value: 'skip', label: 'Leave it out', about: 'What is in this workspace stays as it is.' },
  { value: 'version', label: 'Add its versions', about: 'Its versions become the next versions of what has the name here.' },
  { value: 'refuse', label: 'Refuse it', about: 'The check lists it as refused.' },
]

export function isTable(format: string | null): boolean {
  return format === 'csv' || format === 'promptlayer'
}

export function isActive({ state }: Pick<Import, 'state'>): boolean {
  return state === 'checking' || state === 'running'
}

export function hasEnded({ ended_at }: Pick<Import, 'ended_at'>): boolean {
  return ended_at !== null
}

/** The counts that matter now: those of the import once it has been started, or those of the check. */
export function countsOf(one: Pick<Import, 'state' | 'ended_at' | 'check' | 'result'>): Counts {
  return one.state === 'running' || hasEnded(one) ? one.result : one.check
}

/** The rows that became requests, such as "120 of 123". */
export function rowWords(one: Import): string {
  const { rows, accepted } = countsOf(one)
  if (rows === 0) return ''
  return accepted === rows ? count(rows) : `${count(accepted)} of ${count(rows)}`
}

/** What an import reads: rows of a file, or items of a server, which are objects and requests. */
export function nounOf({ server }: Pick<Import, 'server'>): 'row' | 'item' {
  return server ? 'item' : 'row'
}

/** What was or would be imported, such as "30 requests". */
export function amountOf({ server }: Pick<Import, 'server'>, accepted: number): string {
  return plural(accepted, server ? 'item' : 'request')
}

/** Whether an import may have brought requests. */
export function hasRequests({ server, result }: Pick<Import, 'server' | 'result'>): boolean {
  return result.accepted > 0 && (!server || server.parts.includes('requests'))
}

/** What became of the rows or items that have a remark. */
export function remarkWords({ refused, ignored, existing, unlinked }: Pick<Counts, 'refused' | 'ignored' | 'existing' | 'unlinked'>, noun: 'row' | 'item' = 'row'): string[] {
  return [
    ...(refused > 0 ? [`${plural(refused, noun)} refused${noun === 'row' ? ': not valid' : ''}`] : []),
    ...(ignored > 0 ? [`${plural(ignored, noun)} ignored: ${noun === 'row' ? 'no requests to models' : 'nothing to import'}`] : []),
    ...(existing > 0 ? [`${plural(existing, noun)} left out: already in this workspace`] : []),
    ...(unlinked > 0 ? [`${plural(unlinked, noun)} without the prompt: this workspace does not have it`] : []),
  ]
}

/** The largest file in bytes that the server takes. */
export const largestFile = 4 * 1024 ** 3

/** Why a file cannot be the one of an import, or null if it can. */
export function fileProblem(file: { name: string; size: number }, begun?: Pick<Import, 'file_name' | 'size'>): string | null {
  if (file.size === 0) return `${file.name} is empty.`
  if (file.size > largestFile) return `${file.name} is larger than ${bytes(largestFile)}. Compress or split it.`
  if (begun && (file.name !== begun.file_name || file.size < begun.size)) return `Choose ${begun.file_name} again, of which ${bytes(begun.size)} were uploaded.`
  return null
}

/** Columns by field. */
export type Mapping = Record<string, string>

/** The field that a column becomes, or "" if it is not imported. */
export function fieldOf(mapping: Mapping, column: string): string {
  return Object.keys(mapping).find((field) => mapping[field] === column) ?? ''
}

/** The mapping in which a column becomes another field, "" for none. Another column loses the field. */
export function mapped(mapping: Mapping, column: string, field: string): Mapping {
  const others = Object.entries(mapping).filter(([one, from]) => from !== column && one !== field)
  return Object.fromEntries(field === '' ? others : [...others, [field, column]])
}

/** The field of a column that becomes a key of the metadata. */
export function metadataField(column: string): string {
  return `metadata.${column}`
}

/** Default values that have a text. */
export function filled(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value.trim()]).filter(([, value]) => value !== ''))
}

/** The condition that finds the requests of an import. */
export function importFilter(id: number) {
  return { field: 'metadata', operator: 'key_equals', nested_key: 'import.id', value: String(id) } as const
}

/** The address of the report, for a plain link. */
export function reportAddress(id: number, workspace: number, format: 'csv' | 'ndjson'): string {
  return `/api/public/v2/imports/${id}/report?${new URLSearchParams({ format, workspace_id: String(workspace) }).toString()}`
}
