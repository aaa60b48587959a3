import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetOfReportQuery, isDraft, versionsQuery } from '@/dataset/data'
import { evaluationKey, evaluationsKey, type Report } from '@/evaluation/data'
import { shortTime } from '@/lib/format'
import { Checkbox, Field, Input, Select, Textarea } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'

/** Asks for a name, a comment and the dataset version, and starts a run. */
export function RunDialog({ report, onClose, onStarted }: { report: Report['report']; onClose: () => void; onStarted: (run: number) => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const own = useQuery(datasetOfReportQuery(workspace, report.id)).data?.find(({ id }) => id === report.dataset_id)
  const versions = useQuery({ ...versionsQuery(workspace, own?.dataset_group_id ?? 0), enabled: own !== undefined }).data?.filter((version) => !isDraft(version)) ?? []
  const [name, setName] = useState(() => `Run ${shortTime(new Date())}`)
  const [comment, setComment] = useState(report.comment ?? '')
  const [dataset, setDataset] = useState<number | null>(null)
  const [refresh, setRefresh] = useState(false)
  const chosen = versions.find(({ id }) => id === (dataset ?? report.dataset_id))
  const run = useMutation({
    mutationFn: () => call(api.POST('/reports/{report_id}/run', { params: { path: { report_id: report.id } }, body: { name: name.trim(), comment: comment.trim(), dataset_id: dataset, ...(refresh ? { refresh_dataset: true } : {}) } })),
    onSuccess: async ({ report_id }) => {
      await queryClient.invalidateQueries({ queryKey: [...evaluationKey(workspace, report.id), 'runs'] })
      void queryClient.invalidateQueries({ queryKey: [...evaluationsKey(workspace), 'list'] })
      onClose()
      onStarted(report_id)
    },
  })
  return (
    <FormDialog
      size="narrow"
      title={`Run ${report.name}`}
      description="Computes every column for every row, with the columns as they are now."
      action="Start"
      busy={run.isPending}
      ready={name.trim() !== ''}
      error={run.error}
      onSubmit={() => run.mutate()}
      onClose={onClose}
    >
      <Field label="Run name" hint="Describe what you are testing. Example: “shorter system message”.">
        {(control) => <Input {...control} autoFocus maxLength={255} value={name} onFocus={(event) => event.target.select()} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Comment">{(control) => <Textarea {...control} rows={2} maxLength={10_000} value={comment} onChange={(event) => setComment(event.target.value)} />}</Field>
      {versions.length > 0 && (
        <Field label={`Version of ${own?.dataset_group.name ?? 'the dataset'}`}>
          {(control) => (
            <Select {...control} value={dataset ?? report.dataset_id ?? ''} onChange={(event) => setDataset(Number(event.target.value))}>
              {versions.map(({ id, version_number }) => <option key={id} value={id}>{version_number}{id === report.dataset_id ? ' (default)' : ''}</option>)}
            </Select>
          )}
        </Field>
      )}
      {chosen?.filter_params && (
        <label className="flex items-center gap-2">
          <Checkbox checked={refresh} onChange={(event) => setRefresh(event.target.checked)} /> Run the dataset’s filter again first and create a new version
        </label>
      )}
    </FormDialog>
  )
}
