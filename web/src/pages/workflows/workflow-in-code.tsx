import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { Field, Select } from '@/ui/field'
import { ownHeaders, UseInCode } from '@/ui/use-in-code'
import { labelsQuery } from './data'
import { definitionOf, type Version } from './model/definition'
import { readInputs, writeInputs } from './model/inputs'

/** Code that starts a run of the workflow. */
export function WorkflowInCode({ version, onClose }: { version: Version; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const labels = useQuery(labelsQuery(workspace, version.workflow_id)).data ?? []
  const [target, setTarget] = useState<string | null>(null)
  const chosen = target ?? (labels[0] === undefined ? `v${version.version}` : `l${labels[0].release_label}`)
  const { variables } = definitionOf(version)
  const selected = chosen.startsWith('l') ? { workflow_label_name: chosen.slice(1) } : chosen === '' ? {} : { workflow_version_number: Number(chosen.slice(1)) }
  return (
    <UseInCode
      title={`Use ${version.workflow_name} in code`}
      description="Starts a run and returns its id. GET /workflow-version-execution-results with workflow_version_execution_id returns its result."
      call={{
        method: 'POST', url: `${window.location.origin}/workflows/${encodeURIComponent(version.workflow_name)}/run`, headers: ownHeaders,
        body: { ...selected, input_variables: readInputs(variables, writeInputs(variables, {})).values },
      }}
      onClose={onClose}
    >
      <Field label="Version">
        {(control) => (
          <Select {...control} value={chosen} onChange={(event) => setTarget(event.target.value)}>
            {labels.map((one) => <option key={one.release_label_id} value={`l${one.release_label}`}>Label {one.release_label}</option>)}
            <option value="">Latest version</option>
            <option value={`v${version.version}`}>Version {version.version}</option>
          </Select>
        )}
      </Field>
    </UseInCode>
  )
}
