import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { GroupPicker, isChosen, type GroupChoice } from '@/dataset/group-picker'
import { createGroup } from '@/dataset/groups'
import { count } from '@/lib/format'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import { useToast } from '@/ui/toast'

type Rows = 'trace' | 'model_calls'

/** Adds a span, or the calls of models at and below it, to the draft of a dataset. */
export default function AddToDataset({ trace, span, onClose }: { trace: string; span: string; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const [choice, setChoice] = useState<GroupChoice>({ kind: 'new', name: '' })
  const [rows, setRows] = useState<Rows>('trace')
  const queryClient = useQueryClient()
  const toast = useToast()
  const add = useMutation({
    mutationFn: async () => {
      const group = choice.kind === 'existing' ? choice.group : await createGroup(choice.name.trim())
      const { row_count: added } = await call(api.POST('/api/public/v2/dataset-versions/add-trace', { body: { dataset_group_id: group.id, trace_id: trace, span_id: span, rows } }))
      return { group, added }
    },
    onSuccess: ({ group, added }) => toast.done(`${words(added)} added to the draft of “${group.name}”`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['w', workspace, 'datasets'] }),
  })
  const done = add.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title="Add to dataset"
      description="Adds rows to the dataset’s draft. If there is no draft, one is created from the latest version."
      footer={
        done ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Link to="/$workspace/datasets/$group" params={{ workspace: String(workspace), group: String(done.group.id) }} search={{}} className={buttonClass('primary')}>Open dataset</Link>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={add.isPending} disabled={!isChosen(choice)} onClick={() => add.mutate()}>Add</Button>
          </>
        )
      }
    >
      {done ? <p>{words(done.added)} added to the draft of “{done.group.name}”.</p> : (
        <div className="flex flex-col gap-3">
          <Field label="Rows">
            {(control) => (
              <Select {...control} value={rows} onChange={(event) => setRows(event.target.value as Rows)}>
                <option value="trace">One row: input and output of this span</option>
                <option value="model_calls">One row for each model call at and below it</option>
              </Select>
            )}
          </Field>
          <GroupPicker choice={choice} onChange={setChoice} />
        </div>
      )}
    </Dialog>
  )
}

function words(rows: number): string {
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`
}
