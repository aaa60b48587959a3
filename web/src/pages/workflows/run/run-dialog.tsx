import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Snippet } from '@/ui/copy'
import { Field, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { ErrorState, Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { labelsQuery, runsQuery, versionQuery, workflowKey } from '../data'
import { definitionOf, type Definition, type Version } from '../model/definition'
import { readInputs, writeInputs } from '../model/inputs'
import { wholeOf } from '../model/patch'
import { problemsOf, type Problem } from '../model/problems'
import { InputFields } from './input-fields'

interface RunDialogProps {
  /** The version on the page. */
  version: Version
  /** The initial input variables. Defaults to those of the last run. */
  inputs: Record<string, unknown> | null
  /** Unsaved edits, which are run without a version; null if there are none. */
  edits: Definition | null
  onClose: () => void
  /** Called with what the server refused about the edits. */
  onRefused: (problems: Problem[]) => void
  onStarted: (run: number, version: number) => void
}

/** Starts a run with input variables. The chosen version determines them. */
export function RunDialog({ version, inputs, edits: unsaved, onClose, onRefused, onStarted }: RunDialogProps) {
  const workspace = useSession().workspace_id
  const id = version.workflow_id
  const [target, setTarget] = useState(unsaved === null ? `v${version.version}` : 'edits')
  const labels = useQuery(labelsQuery(workspace, id))
  const label = labels.data?.find((one) => target === `l${one.release_label}`)
  const number = label?.workflow_version_number ?? version.version
  const numbered = useQuery({ ...versionQuery(workspace, id, number), initialData: number === version.version ? version : undefined })
  const last = useQuery({ ...runsQuery(workspace, id, { dry: 'include' }), enabled: inputs === null })
  const edits = target === 'edits' ? unsaved : null
  const chosen = inputs === null && last.isLoading ? undefined : numbered.data
  const { variables } = edits ?? (chosen === undefined ? { variables: {} } : definitionOf(chosen))
  const form = edits === null ? String(number) : 'edits'
  const [changed, setChanged] = useState<{ form: string; typed: Record<string, string> } | null>(null)
  const typed = changed?.form === form ? changed.typed : writeInputs(variables, inputs ?? last.data?.items[0]?.input_variables ?? {})
  const { values, problems } = readInputs(variables, typed)
  const body = { ...(label === undefined ? { workflow_version_number: number } : { workflow_label_name: label.release_label }), input_variables: values }
  const start = useStart({ version, number, edits, body, onClose, onRefused, onStarted })
  return (
    <FormDialog
      title={`Run ${version.workflow_name}`}
      action={edits === null ? 'Run' : 'Dry run'}
      busy={start.isPending}
      ready={chosen !== undefined && Object.keys(problems).length === 0}
      onSubmit={() => start.mutate()}
      onClose={onClose}
    >
      <Field label="Version" hint={edits === null ? undefined : 'A dry run makes no version. Models and other servers are called as in any run.'}>
        {(control) => (
          <Select {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
            {unsaved !== null && <option value="edits">Changes to version {version.version}, not saved</option>}
            <option value={`v${version.version}`}>Version {version.version}</option>
            {labels.data?.map((one) => (
              <option key={one.release_label_id} value={`l${one.release_label}`}>{one.release_label} (version {one.workflow_version_number})</option>
            ))}
          </Select>
        )}
      </Field>
      {numbered.isError ? <ErrorState error={numbered.error} /> : chosen === undefined ? <Loading /> : (
        <>
          <InputFields key={form} variables={variables} typed={typed} problems={problems} onChange={(next) => setChanged({ form, typed: next })} />
          {edits === null && (
            <details>
              <summary className="text-[13px] text-dim">Show curl command</summary>
              <Snippet className="mt-2" code={curlFor(version, body)} />
            </details>
          )}
        </>
      )}
    </FormDialog>
  )
}

function useStart({ version, number, edits, body, onClose, onRefused, onStarted }: Omit<RunDialogProps, 'inputs'> & {
  number: number
  body: { input_variables: Record<string, unknown> }
}) {
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const toast = useToast()
  const params = { path: { workflow_id_or_name: String(version.workflow_id) } }
  return useMutation({
    mutationFn: () =>
      edits === null
        ? call(api.POST('/workflows/{workflow_id_or_name}/run', { params, body }))
        : call(api.POST('/workflows/{workflow_id_or_name}/dry-run', { params, body: { base_version: number, ...wholeOf(edits), input_variables: body.input_variables } })),
    onSuccess: (answer) => {
      void queryClient.invalidateQueries({ queryKey: [...workflowKey(workspace, version.workflow_id), 'runs'] })
      if (answer.warning !== null) toast.done(answer.warning)
      onClose()
      onStarted(answer.workflow_version_execution_id, number)
    },
    onError: (error) => {
      if (edits === null || !(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) return toast.failed(error)
      // Problems with the edits are shown above the graph and at the node.
      onClose()
      onRefused(problemsOf(error, edits))
    },
  })
}

function curlFor(version: Version, body: object): string {
  const data = JSON.stringify(body).replaceAll("'", "'\\''")
  return `curl -X POST ${window.location.origin}/workflows/${encodeURIComponent(version.workflow_name)}/run \\\n  -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' \\\n  -d '${data}'`
}
