import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { groupsQuery, isDraft, rowsPerPage, rowsQuery, versionsQuery } from '@/dataset/data'
import { oneLine } from '@/dataset/value'
import { IconButton } from '@/ui/button'
import { Combobox } from '@/ui/combobox'
import { FormDialog } from '@/ui/form-dialog'
import { Loading } from '@/ui/page'
import { hasColumn, valuesOfRow } from './row-values'

/** Fills in the variables from a row of a dataset. */
export function RowDialog({ names, onChoose, onClose }: { names: string[]; onChoose: (values: Record<string, string>) => void; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const groups = useQuery(groupsQuery(workspace, {})).data
  const [group, setGroup] = useState<number | null>(null)
  const [index, setIndex] = useState(0)
  const versions = useQuery({ ...versionsQuery(workspace, group ?? 0), enabled: group !== null }).data
  const dataset = versions?.find((one) => !isDraft(one)) ?? versions?.[0]
  const page = useQuery({ ...rowsQuery(workspace, dataset?.id ?? 0, '', Math.floor(index / rowsPerPage) + 1, false), enabled: dataset !== undefined })
  const row = page.data?.rows[index % rowsPerPage]
  const columns = page.data?.columns ?? []
  const total = page.data?.total ?? 0
  const values = row === undefined ? {} : valuesOfRow(names, columns, row.map(({ value }) => value))
  const found = Object.keys(values)
  const use = () => {
    onChoose(values)
    onClose()
  }
  return (
    <FormDialog
      title="Use values from a dataset"
      description="Columns fill in the variables with the same name."
      action={`Use row ${index + 1}`}
      ready={found.length > 0}
      className="gap-3"
      onSubmit={use}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Combobox
          label="Dataset"
          className="min-w-0 flex-1"
          placeholder={groups?.length === 0 ? 'No datasets yet' : 'Choose a dataset…'}
          disabled={groups?.length === 0}
          options={(groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={group === null ? null : String(group)}
          onChange={(value) => { setGroup(Number(value)); setIndex(0) }}
        />
        {total > 0 && (
          <span className="tabular inline-flex items-center text-[13px] text-dim">
            <IconButton small label="Previous row" disabled={index === 0} onClick={() => setIndex(index - 1)}><ChevronLeft /></IconButton>
            Row {index + 1} of {total}
            <IconButton small label="Next row" disabled={index >= total - 1} onClick={() => setIndex(index + 1)}><ChevronRight /></IconButton>
          </span>
        )}
      </div>
      {group !== null && row === undefined && (page.isPending && dataset !== undefined ? <Loading /> : <p className="text-dim">This dataset has no rows.</p>)}
      {row !== undefined && (
        <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1.5 text-[13px]">
          {names.map((name) => (
            <div key={name} className="contents">
              <dt className="font-mono text-xs text-accent-ink">{name}</dt>
              <dd className="min-w-0 break-words">{name in values ? oneLine(values[name]) : <span className="text-faint">{hasColumn(name, columns) ? 'empty in this row, not changed' : 'no matching column, not changed'}</span>}</dd>
            </div>
          ))}
        </dl>
      )}
    </FormDialog>
  )
}
