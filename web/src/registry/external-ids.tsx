import type { Column } from '@/ui/table'

interface Identified {
  external_ids: { source: string; external_id: string }[]
}

/** External IDs as texts, to search and to show. */
export function idTexts(ids: Identified['external_ids']): string[] {
  return ids.map(({ source, external_id }) => `${source}:${external_id}`)
}

/** The column of a list with the external IDs. */
export function idColumn<Row extends Identified>(className: string): Column<Row> {
  return { header: 'External IDs', className, cell: ({ external_ids }) => <span className="font-mono text-xs text-dim">{idTexts(external_ids).join(', ')}</span> }
}
