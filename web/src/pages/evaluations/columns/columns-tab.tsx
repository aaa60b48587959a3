import { ArrowDown, ArrowUp, Columns3, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import type { Column, Report } from '@/evaluation/data'
import { typeLabel } from '@/step/node-types'
import { summaryOf } from '@/step/summary'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Checkbox } from '@/ui/field'
import { Card, EmptyState } from '@/ui/page'
import { PromptLinks } from '../run/prompt-links'
import { useColumnActions } from './actions'
import { ColumnDialog } from './column-dialog'
import { ScoreCode } from './score-code'

/** The columns of an evaluation, and how its score is computed. */
export function ColumnsTab({ evaluation }: { evaluation: Report }) {
  const mayEdit = useMay('REPORT_EDIT') && !evaluation.report.deleted
  const actions = useColumnActions(evaluation)
  const [opened, setOpened] = useState<Column | 'new' | null>(null)
  const given = evaluation.report_columns.filter(({ column_type }) => column_type === 'DATASET')
  const computed = evaluation.report_columns.filter(({ column_type }) => column_type !== 'DATASET')
  const addButton = mayEdit && <Button small look="primary" onClick={() => setOpened('new')}><Plus /> Add column</Button>
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4 p-4">
      <Card title="Dataset columns">
        <ul className="flex flex-wrap gap-1.5">{given.map(({ id, name }) => <li key={id}><Badge>{name}</Badge></li>)}</ul>
        {given.length === 0 && <p className="text-faint">The dataset has no columns.</p>}
      </Card>
      <Card title="Computed columns" actions={computed.length > 0 && addButton}>
        {computed.length === 0 ? (
          <EmptyState title="No columns yet" icon={<Columns3 />} action={addButton}>
            Add columns that are computed for every row: run a prompt, check its answer, or run code. Each column can use the columns before it. Columns with true or false values or numbers can be part of the score.
          </EmptyState>
        ) : (
          <ol className="-mx-4 -mb-4">
            {computed.map((column, at) => (
              <ColumnRow
                key={column.id}
                column={column}
                locked={!mayEdit || actions.busy}
                onOpen={() => setOpened(column)}
                onUp={at > 0 ? () => actions.move.mutate({ column, position: column.position - 1 }) : undefined}
                onDown={at < computed.length - 1 ? () => actions.move.mutate({ column, position: column.position + 1 }) : undefined}
                onRemove={() => void actions.remove(column)}
                onCounts={(on) => actions.setCounts(column, on)}
              />
            ))}
          </ol>
        )}
      </Card>
      <ScoreCode evaluation={evaluation} locked={!mayEdit} />
      {opened !== null && <ColumnDialog evaluation={evaluation} column={opened === 'new' ? undefined : opened} locked={!mayEdit} save={actions.save} onClose={() => setOpened(null)} />}
    </div>
  )
}

function ColumnRow({ column, locked, onOpen, onUp, onDown, onRemove, onCounts }: {
  column: Column
  locked: boolean
  onOpen: () => void
  onUp?: () => void
  onDown?: () => void
  onRemove: () => void
  onCounts: (on: boolean) => void
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex items-center gap-2">
          <button type="button" className="truncate font-medium hover:underline" onClick={onOpen}>{column.name}</button>
          <Badge>{typeLabel(column.column_type)}</Badge>
          <PromptLinks columns={[column]} />
        </p>
        <p className="truncate text-[13px] text-faint">{summaryOf({ node_type: column.column_type, configuration: column.configuration })}</p>
      </div>
      <label className="flex items-center gap-1.5 text-[13px] text-dim">
        <Checkbox checked={column.is_part_of_score} disabled={locked} onChange={(event) => onCounts(event.target.checked)} /> part of the score
      </label>
      <div className="flex">
        <IconButton small label={`Move ${column.name} up`} disabled={locked || onUp === undefined} onClick={onUp}><ArrowUp /></IconButton>
        <IconButton small label={`Move ${column.name} down`} disabled={locked || onDown === undefined} onClick={onDown}><ArrowDown /></IconButton>
        <IconButton small label={`${locked ? 'Show' : 'Edit'} ${column.name}`} onClick={onOpen}><Pencil /></IconButton>
        <IconButton small label={`Delete ${column.name}`} disabled={locked} onClick={onRemove}><Trash2 /></IconButton>
      </div>
    </li>
  )
}
