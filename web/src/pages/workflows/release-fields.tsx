import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '@/api/session'
import { Field, Input } from '@/ui/field'
import { LabelChoice } from '@/ui/label-choice'
import { labelsQuery } from './data'

export interface Release {
  message: string
  labels: string[]
}

/** The message and labels of a new version. */
export function ReleaseFields({ workflow, value, onChange }: { workflow: number; value: Release; onChange: (release: Release) => void }) {
  const workspace = useSession().workspace_id
  const mayDeploy = useMay('WORKFLOW_DEPLOY')
  const labels = useQuery(labelsQuery(workspace, workflow)).data ?? []
  return (
    <div className="flex flex-col gap-4">
      <Field label="What changed">
        {(control) => <Input {...control} autoFocus value={value.message} onChange={(event) => onChange({ ...value, message: event.target.value })} />}
      </Field>
      <LabelChoice
        labels={labels.map((one) => ({ name: one.release_label, version: one.workflow_version_number }))}
        allowed={mayDeploy}
        value={value.labels}
        onChange={(names) => onChange({ ...value, labels: names })}
      />
    </div>
  )
}
