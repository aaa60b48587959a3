import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { groupsQuery, isDraft, versionsQuery } from '@/dataset/data'
import { evaluationsKey } from '@/evaluation/data'
import { Combobox } from '@/ui/combobox'
import { Field, Input, Select, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'

/** Creates an evaluation of a dataset and opens it to choose its columns. */
export function CreateDialog({ group: first, onClose }: { group: number | null; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const toast = useToast()
  const groups = useQuery(groupsQuery(workspace, { sort: 'name' })).data ?? []
  const [group, setGroup] = useState(first)
  const versions = (useQuery({ ...versionsQuery(workspace, group ?? 0), enabled: group !== null }).data ?? []).filter((version) => !isDraft(version))
  const [version, setVersion] = useState<number | null>(null)
  const [name, setName] = useState('')
  const [comment, setComment] = useState('')
  const create = useMutation({
    mutationFn: () => call(api.POST('/reports', { body: { dataset_group_id: group ?? 0, dataset_version_number: version, name: name.trim() || null, comment: comment.trim() } })),
    onSuccess: async ({ report_id }) => {
      await queryClient.invalidateQueries({ queryKey: evaluationsKey(workspace) })
      toast.done('Evaluation created. Add its columns next.')
      void navigate({ to: '/$workspace/evaluations/$evaluation', params: { workspace: String(workspace), evaluation: String(report_id) }, search: { tab: 'columns' } })
    },
  })
  return (
    <FormDialog
      size="narrow"
      title="New evaluation"
      description="An evaluation runs on the rows of a dataset. You add its columns in the next step."
      action="Create"
      busy={create.isPending}
      ready={group !== null}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" hint="Generated if left empty.">{(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
      <div className="flex flex-col gap-1">
        <p className="text-[13px] font-medium text-dim">Dataset</p>
        <Combobox label="Dataset" value={group === null ? null : String(group)} options={groups.map(({ id, name: label, path }) => ({ value: String(id), label, note: path.join(' / ') }))} onChange={(id) => (setGroup(Number(id)), setVersion(null))} />
        {groups.length === 0 && <p className="text-[13px] text-faint">No datasets yet. <Link to="/$workspace/datasets" params={{ workspace: String(workspace) }} search={{}} className="text-accent-ink underline">Create a dataset first.</Link></p>}
      </div>
      {versions.length > 0 && (
        <Field label="Version">
          {(control) => (
            <Select {...control} value={version ?? ''} onChange={(event) => setVersion(event.target.value === '' ? null : Number(event.target.value))}>
              <option value="">Latest ({versions[0]?.version_number})</option>
              {versions.map(({ version_number }) => <option key={version_number} value={version_number}>{version_number}</option>)}
            </Select>
          )}
        </Field>
      )}
      <Field label="Comment" hint="Purpose of the evaluation. Copied to its runs.">{(control) => <Textarea {...control} rows={2} maxLength={10_000} value={comment} onChange={(event) => setComment(event.target.value)} />}</Field>
    </FormDialog>
  )
}
