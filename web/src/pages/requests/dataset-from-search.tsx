import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { GroupPicker, isChosen, type GroupChoice } from '@/dataset/group-picker'
import { createGroup } from '@/dataset/groups'
import { LogColumnChoice, useLogColumns } from '@/dataset/log-columns'
import { count } from '@/lib/format'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useToast } from '@/ui/toast'
import { searchBody } from './log-query'
import type { Log } from './use-log'

const most = 50_000

/** Creates a dataset version from all requests that match the search. */
export function DatasetFromSearch({ log, onClose }: { log: Log; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const [choice, setChoice] = useState<GroupChoice>({ kind: 'new', name: '' })
  const [limit, setLimit] = useState(String(Math.min(log.total ?? 0, 1000)))
  const { labels, choose, columns } = useLogColumns()
  const queryClient = useQueryClient()
  const toast = useToast()
  const rows = Number(limit)
  const valid = Number.isInteger(rows) && rows >= 1 && rows <= most
  const make = useMutation({
    mutationFn: async () => {
      const group = choice.kind === 'existing' ? choice.group : await createGroup(choice.name.trim())
      await call(api.POST('/api/public/v2/dataset-versions/from-filter-params', { body: { ...searchBody(log.query), dataset_group_id: group.id, limit: rows, columns } }))
      return group
    },
    onSuccess: (group) => toast.done(`New version of “${group.name}” created`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['w', workspace, 'datasets'] }),
  })
  const made = make.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title="Create dataset from this search"
      description={`${count(log.total ?? 0)} matching requests. Each becomes a row.`}
      footer={
        made ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Link to="/$workspace/datasets/$group" params={{ workspace: String(workspace), group: String(made.id) }} search={{}} className={buttonClass('primary')}>Open dataset</Link>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={make.isPending} disabled={!isChosen(choice) || !valid || columns.length === 0} onClick={() => make.mutate()}>Create</Button>
          </>
        )
      }
    >
      {made ? <p>“{made.name}” has a new version with these rows.</p> : (
        <div className="flex flex-col gap-3">
          <GroupPicker choice={choice} onChange={setChoice} />
          {choice.kind === 'existing' && <p className="text-[13px] text-warn">If “{choice.group.name}” has a draft, its rows will be replaced and it becomes the new version.</p>}
          <Field label="Rows" hint={`In the order of the list, up to ${count(most)}`} error={valid ? null : `Enter a number from 1 to ${count(most)}`}>
            {(control) => <Input {...control} inputMode="numeric" value={limit} onChange={(event) => setLimit(event.target.value)} />}
          </Field>
          <LogColumnChoice labels={labels} choose={choose} />
        </div>
      )}
    </Dialog>
  )
}
