import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useSession } from '@/api/session'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { GroupPicker, isChosen, type GroupChoice } from './group-picker'
import { createGroup } from './groups'

/** The dataset that gets the rows. */
interface Target {
  id: number
  name: string
  /** Whether it was created for them. */
  created: boolean
}

/** Adds rows to a chosen or new dataset, and links to it afterwards. */
export function AddDialog({ title, description, action, ready = true, before, warning, children, add, onClose }: {
  title: string
  description: string
  action: string
  ready?: boolean
  /** Rendered before the choice of the dataset. */
  before?: ReactNode
  /** What happens to an existing dataset with this name. */
  warning?: (name: string) => string
  /** Rendered after the choice. */
  children?: ReactNode
  /** Adds the rows. Resolves to what was done: a sentence for the notice, and one for the dialog. */
  add: (target: Target) => Promise<{ notice: string; done: string }>
  onClose: () => void
}) {
  const { workspace_id: workspace } = useSession()
  const [choice, setChoice] = useState<GroupChoice>({ kind: 'new', name: '' })
  const queryClient = useQueryClient()
  const toast = useToast()
  const adding = useMutation({
    mutationFn: async () => {
      const { id, name } = choice.kind === 'existing' ? choice.group : await createGroup(choice.name.trim())
      return { id, ...(await add({ id, name, created: choice.kind === 'new' })) }
    },
    onSuccess: ({ notice }) => toast.done(notice),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['w', workspace, 'datasets'] }),
  })
  const head = { size: 'narrow' as const, title, description }
  if (adding.data !== undefined) {
    const { id, done } = adding.data
    const open = <Link to="/$workspace/datasets/$group" params={{ workspace: String(workspace), group: String(id) }} search={{}} className={buttonClass('primary')}>Open dataset</Link>
    return <Dialog {...head} open onOpenChange={(next) => !next && onClose()} footer={<><Button onClick={onClose}>Close</Button>{open}</>}><p>{done}</p></Dialog>
  }
  return (
    <FormDialog {...head} action={action} busy={adding.isPending} ready={ready && isChosen(choice)} className="gap-3" onSubmit={() => adding.mutate()} onClose={onClose}>
      {before}
      <GroupPicker choice={choice} onChange={setChoice} />
      {warning && choice.kind === 'existing' && <p className="text-[13px] text-warn">{warning(choice.group.name)}</p>}
      {children}
    </FormDialog>
  )
}
