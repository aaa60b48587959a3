import { useState } from 'react'
import { api, call } from '@/api/client'
import { AddDialog } from '@/dataset/add-dialog'
import { count } from '@/lib/format'
import { Field, Select } from '@/ui/field'

type Rows = 'trace' | 'model_calls'

/** Adds a span, or the calls of models at and below it, to the draft of a dataset. */
export default function AddToDataset({ trace, span, onClose }: { trace: string; span: string; onClose: () => void }) {
  const [rows, setRows] = useState<Rows>('trace')
  return (
    <AddDialog
      title="Add to dataset"
      description="Adds rows to the dataset’s draft. If there is no draft, one is created from the latest version."
      action="Add"
      before={
        <Field label="Rows">
          {(control) => (
            <Select {...control} value={rows} onChange={(event) => setRows(event.target.value as Rows)}>
              <option value="trace">One row: input and output of this span</option>
              <option value="model_calls">One row for each model call in this span and its children</option>
            </Select>
          )}
        </Field>
      }
      add={async ({ id, name }) => {
        const { row_count: added } = await call(api.POST('/api/public/v2/dataset-versions/add-trace', { body: { dataset_group_id: id, trace_id: trace, span_id: span, rows } }))
        const notice = `${count(added)} ${added === 1 ? 'row' : 'rows'} added to the draft of “${name}”`
        return { notice, done: `${notice}.` }
      }}
      onClose={onClose}
    />
  )
}
