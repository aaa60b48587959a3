import type { Schemas } from '@/api/client'
import { auditColumns, requestColumns, spanColumns } from '@/export/columns'

export type SavedExport = Schemas['SavedExportItem']
export type ExportRun = Schemas['ExportRunItem']
export type Source = SavedExport['source']
export type Every = SavedExport['schedule']['every']
type Weekday = NonNullable<SavedExport['schedule']['weekday']>

/** The form of a saved export. */
export interface Draft {
  name: string
  source: Source
  /** What of the source: the members of a search, an id, or the filters of the audit log. */
  query: Record<string, unknown>
  format: SavedExport['format']
  /** Empty for the default of the format. */
  compression: string
  columns: ReadonlySet<string>
  keepFormulas: boolean
  address: string
  region: string
  endpoint: string
  accessKey: string
  secretKey: string
  incremental: boolean
  every: Every
  minute: string
  hour: string
  weekday: Weekday
}

export const weekdays: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The columns of a source, in the order of the files. There are none to choose from if they depend on the query. */
export function columnsOf(source: Source): string[] {
  return { requests: requestColumns, traces: spanColumns, audit: auditColumns, dataset: [], evaluation: [] }[source]
}

/** Whether a run can export only what is new: what has ids. */
export function canBeIncremental(source: Source): boolean {
  return source === 'requests' || source === 'audit'
}

/** Whether everything of a source can be exported. Of datasets and evaluations, one is. */
export function canBeAll(source: Source): boolean {
  return source !== 'dataset' && source !== 'evaluation'
}

/** The form for a saved export, or for a new one. */
export function draftOf(saved: SavedExport | null, start: Partial<Draft> = {}): Draft {
  if (saved === null) {
    const source = start.source ?? 'requests'
    return {
      name: '', source, query: {}, format: 'jsonl', compression: '', columns: new Set(columnsOf(source)), keepFormulas: false, address: '', region: '', endpoint: '',
      accessKey: '', secretKey: '', incremental: false, every: 'daily', minute: '0', hour: '3', weekday: 'monday', ...start,
    }
  }
  const { name, source, query, format, compression, columns, formulas, target, incremental, schedule } = saved
  return {
    name, source, query, format, compression: compression ?? '', columns: new Set(columns.length > 0 ? columns : columnsOf(source)), keepFormulas: formulas === 'keep',
    address: target.address, region: target.region ?? '', endpoint: target.endpoint ?? '', accessKey: '', secretKey: '', incremental,
    every: schedule.every, minute: String(schedule.minute ?? 0), hour: String(schedule.hour ?? 3), weekday: schedule.weekday ?? 'monday',
  }
}

/** Whether the files go to a bucket. */
export function isBucket({ address }: Pick<Draft, 'address'>): boolean {
  return address.trim().startsWith('s3://')
}

/** Whether the credentials that are stored for an export can stay. */
export function keepsCredentials(draft: Draft, saved: SavedExport | null): boolean {
  if (saved === null || !saved.has_credentials) return false
  const bucket = (address: string) => address.trim().split('/')[2]
  const { address, region, endpoint } = saved.target
  return isBucket(draft) && bucket(address) === bucket(draft.address) && (region ?? '') === draft.region.trim() && (endpoint ?? '') === draft.endpoint.trim()
}

/** What is wrong with a number of the schedule, or null. */
export function timeProblem(text: string, most: number): string | null {
  return /^\d{1,2}$/.test(text.trim()) && Number(text) <= most ? null : `Enter a number from 0 to ${String(most)}`
}

/** Whether the form can be sent. */
export function isComplete(draft: Draft, saved: SavedExport | null): boolean {
  const timed = (draft.every === 'once' || timeProblem(draft.minute, 59) === null) && (draft.every === 'once' || draft.every === 'hourly' || timeProblem(draft.hour, 23) === null)
  const both = draft.accessKey.trim() !== '' && draft.secretKey.trim() !== ''
  const none = draft.accessKey.trim() === '' && draft.secretKey.trim() === ''
  const opened = !isBucket(draft) || both || (none && keepsCredentials(draft, saved))
  return draft.name.trim() !== '' && draft.address.trim() !== '' && (columnsOf(draft.source).length === 0 || draft.columns.size > 0) && timed && opened
}

/** The body of a request that stores the form. */
export function bodyOf(draft: Draft) {
  const all = columnsOf(draft.source)
  const columns = all.length === 0 ? [...draft.columns] : all.filter((name) => draft.columns.has(name))
  const bucket = isBucket(draft)
  return {
    name: draft.name.trim(), source: draft.source, query: draft.query, format: draft.format,
    ...(draft.compression === '' ? {} : { compression: draft.compression as 'none' | 'gzip' | 'zstd' }),
    columns: columns.length === all.length ? [] : columns,
    formulas: draft.keepFormulas ? ('keep' as const) : ('escape' as const),
    target: {
      address: draft.address.trim(),
      ...(bucket && draft.region.trim() !== '' ? { region: draft.region.trim() } : {}),
      ...(bucket && draft.endpoint.trim() !== '' ? { endpoint: draft.endpoint.trim() } : {}),
    },
    ...(bucket && draft.accessKey.trim() !== '' ? { credentials: { access_key_id: draft.accessKey.trim(), secret_access_key: draft.secretKey.trim() } } : {}),
    incremental: canBeIncremental(draft.source) && draft.incremental,
    schedule: scheduleOf(draft),
  }
}

function scheduleOf({ every, minute, hour, weekday }: Draft) {
  if (every === 'once') return { every }
  if (every === 'hourly') return { every, minute: Number(minute) }
  return { every, minute: Number(minute), hour: Number(hour), ...(every === 'weekly' ? { weekday } : {}) }
}

/** Upper case for the first letter. */
export function title(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A schedule in words. */
export function scheduleWords({ every, minute = 0, hour = 0, weekday }: SavedExport['schedule']): string {
  const two = (n: number | null) => String(n ?? 0).padStart(2, '0')
  switch (every) {
    case 'once': return 'Once'
    case 'hourly': return `Hourly at :${two(minute)}`
    case 'daily': return `Daily at ${two(hour)}:${two(minute)} UTC`
    default: return `${title(weekday ?? 'monday')}s at ${two(hour)}:${two(minute)} UTC`
  }
}

/** What of a source is exported in words, such as the searched text and the number of filters. */
export function queryWords(source: Source, query: Record<string, unknown>): string {
  const id = (name: string) => String(query[name])
  switch (source) {
    case 'dataset': return query.dataset_group_id === undefined ? `Dataset version ${id('dataset_id')}` : `Latest version of dataset ${id('dataset_group_id')}`
    case 'evaluation': return `Newest run of evaluation ${id('evaluation_id')}`
    case 'audit': return filterWords(Object.keys(query).length) ?? 'Everything'
    default: return searchWords(query)
  }
}

function filterWords(filters: number): string | null {
  if (filters === 0) return null
  return filters === 1 ? '1 filter' : `${String(filters)} filters`
}

function searchWords(query: Record<string, unknown>): string {
  const words: string[] = []
  if (typeof query.q === 'string' && query.q.trim() !== '') words.push(`“${query.q.trim()}”`)
  const filters = filtersIn(query.filter_group) + (Array.isArray(query.filters) ? query.filters.length : 0)
  const counted = filterWords(filters)
  if (counted !== null) words.push(counted)
  return words.join(', ') || 'Everything'
}

function filtersIn(group: unknown): number {
  if (typeof group !== 'object' || group === null || !('filters' in group) || !Array.isArray(group.filters)) return 0
  return group.filters.reduce((sum: number, one: unknown) => sum + (filtersIn(one) || (typeof one === 'object' && one !== null && 'field' in one ? 1 : 0)), 0)
}

/** Reads a query from the URL. */
export function readQuery(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
