import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { evaluationsKey, type Report } from '@/evaluation/data'
import { Field, Input, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'

/** Changes the name, tags and comment of an evaluation or a run. */
export function RenameDialog({ report, onClose }: { report: Pick<Report['report'], 'id' | 'name' | 'tags' | 'comment'>; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState(report.name)
  const [tags, setTags] = useState(report.tags.join(', '))
  const [comment, setComment] = useState(report.comment ?? '')
  const rename = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), tags: tags.split(',').map((tag) => tag.trim()).filter((tag) => tag !== ''), comment: comment.trim() }
      return call(api.PATCH('/reports/{report_id}/rename', { params: { path: { report_id: report.id } }, body }))
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
      toast.done('Name, tags and comment saved')
      onClose()
    },
  })
  return (
    <FormDialog
      size="narrow"
      title="Name, tags and comment"
      action="Save"
      busy={rename.isPending}
      ready={name.trim() !== ''}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <Field label="Name" error={rename.error?.message}>{(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
      <Field label="Tags" hint="Separated by commas.">{(control) => <Input {...control} value={tags} onChange={(event) => setTags(event.target.value)} />}</Field>
      <Field label="Comment">{(control) => <Textarea {...control} maxLength={10_000} value={comment} onChange={(event) => setComment(event.target.value)} />}</Field>
    </FormDialog>
  )
}
