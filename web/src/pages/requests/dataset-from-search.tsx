import { useState } from 'react'
import { api, call } from '@/api/client'
import { AddDialog } from '@/dataset/add-dialog'
import { LogColumnChoice, useLogColumns } from '@/dataset/log-columns'
import { count } from '@/lib/format'
import { Field, Input } from '@/ui/field'
import { searchBody } from './log-query'
import type { Log } from './use-log'

const most = 50_000

/** Creates a dataset version from all requests that match the search. */
export function DatasetFromSearch({ log, onClose }: { log: Log; onClose: () => void }) {
  const [limit, setLimit] = useState(String(Math.min(log.total ?? 0, 1000)))
  const { labels, choose, columns } = useLogColumns()
  const rows = Number(limit)
  const valid = Number.isInteger(rows) && rows >= 1 && rows <= most
  return (
    <AddDialog
      title="Create dataset from this search"
      description={`${count(log.total ?? 0)} matching requests. Each becomes a row.`}
      action="Create"
      ready={valid && columns.length > 0}
      warning={(name) => `If “${name}” has a draft, its rows will be replaced and it becomes the new version.`}
      add={async ({ id, name }) => {
        await call(api.POST('/api/public/v2/dataset-versions/from-filter-params', { body: { ...searchBody(log.query), dataset_group_id: id, limit: rows, columns } }))
        return { notice: `New version of “${name}” created`, done: `“${name}” has a new version with these rows.` }
      }}
      onClose={onClose}
    >
      <Field label="Rows" hint={`In the order of the list, up to ${count(most)}`} error={valid ? null : `Enter a number from 1 to ${count(most)}`}>
        {(control) => <Input {...control} inputMode="numeric" value={limit} onChange={(event) => setLimit(event.target.value)} />}
      </Field>
      <LogColumnChoice labels={labels} choose={choose} />
    </AddDialog>
  )
}
