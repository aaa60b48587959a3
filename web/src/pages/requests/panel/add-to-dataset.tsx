import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { GroupPicker, isChosen, type GroupChoice } from '@/dataset/group-picker'
import { createGroup, ensureDraft } from '@/dataset/groups'
import { LogColumnChoice, useLogColumns } from '@/dataset/log-columns'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { useToast } from '@/ui/toast'

/** Adds the request as a row to the draft of a dataset. */
export function AddToDataset({ request, onClose }: { request: number; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const [choice, setChoice] = useState<GroupChoice>({ kind: 'new', name: '' })
  const { labels, choose, columns } = useLogColumns()
  const queryClient = useQueryClient()
  const toast = useToast()
  const add = useMutation({
    mutationFn: async () => {
      const group = choice.kind === 'existing' ? choice.group : await createGroup(choice.name.trim())
      if (choice.kind === 'existing') await ensureDraft(group.id)
      await call(api.POST('/api/public/v2/dataset-versions/add-request-log', { body: { dataset_group_id: group.id, request_log_id: request, columns } }))
      return group
    },
    onSuccess: (group) => toast.done(`Request ${request} added to the draft of “${group.name}”`),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['w', workspace, 'datasets'] }),
  })
  const added = add.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="narrow"
      title="Add to dataset"
      description="Adds the request as a row to the dataset’s draft. If there is no draft, one is created from the latest version."
      footer={
        added ? (
          <>
            <Button onClick={onClose}>Close</Button>
            <Link to="/$workspace/datasets/$group" params={{ workspace: String(workspace), group: String(added.id) }} search={{}} className={buttonClass('primary')}>Open dataset</Link>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" busy={add.isPending} disabled={!isChosen(choice) || columns.length === 0} onClick={() => add.mutate()}>Add</Button>
          </>
        )
      }
    >
      {added ? <p>Added to the draft of “{added.name}”.</p> : (
        <div className="flex flex-col gap-3">
          <GroupPicker choice={choice} onChange={setChoice} />
          <LogColumnChoice labels={labels} choose={choose} />
        </div>
      )}
    </Dialog>
  )
}
