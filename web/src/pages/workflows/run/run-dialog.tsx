import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError, call } from '@/api/client'
import { useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { Field, Select } from '@/ui/field'
import { ErrorState, Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { labelsQuery, runsQuery, versionQuery, workflowKey } from '../data'
import { definitionOf, type Definition, type Version } from '../model/definition'
import { readInputs, writeInputs } from '../model/inputs'
import { wholeOf } from '../model/patch'
import { problemsOf, type Problem } from '../model/problems'
import { InputFields } from './input-fields'

interface RunDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The version on the page. */
  version: Version
  /** The initial input variables. Defaults to those of the last run. */
  inputs: Record<string, unknown> | null
  /** Unsaved edits, which are run without a version; null if there are none. */
  edits: Definition | null
  /** Called with what the server refused about the edits. */
  onRefused: (problems: Problem[]) => void
  onStarted: (run: number, version: number) => void
}

/** Starts a run with input variables. */
export function RunDialog(props: RunDialogProps) {
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title={`Run ${props.version.workflow_name}`}>
      <RunChoice {...props} />
    </Dialog>
  )
}

/** Selects the version, which determines the input variables. */
function RunChoice(props: RunDialogProps) {
  const { version } = props
  const workspace = useSession().workspace_id
  const id = version.workflow_id
  const [target, setTarget] = useState(props.edits === null ? `v${version.version}` : 'edits')
  const labels = useQuery(labelsQuery(workspace, id))
  const label = labels.data?.find((one) => target === `l${one.release_label}`)
  const number = label?.workflow_version_number ?? version.version
  const chosen = useQuery({ ...versionQuery(workspace, id, number), initialData: number === version.version ? version : undefined })
  const last = useQuery({ ...runsQuery(workspace, id, { dry: 'include' }), enabled: props.inputs === null })
  const edits = target === 'edits' ? props.edits : null
  return (
    <div className="flex flex-col gap-4 pb-2">
      <Field label="Version" hint={edits === null ? undefined : 'A dry run makes no version. Models and other servers are called as in any run.'}>
        {(control) => (
          <Select {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
            {props.edits !== null && <option value="edits">Changes to version {version.version}, not saved</option>}
            <option value={`v${version.version}`}>Version {version.version}</option>
            {labels.data?.map((one) => (
              <option key={one.release_label_id} value={`l${one.release_label}`}>{one.release_label} (version {one.workflow_version_number})</option>
            ))}
          </Select>
        )}
      </Field>
      {chosen.isError ? (
        <ErrorState error={chosen.error} />
      ) : chosen.data === undefined || (props.inputs === null && last.isLoading) ? (
        <Loading />
      ) : (
        <RunForm key={edits === null ? chosen.data.version : 'edits'} {...props} edits={edits} version={chosen.data} label={label?.release_label ?? null} initial={props.inputs ?? last.data?.items[0]?.input_variables ?? {}} />
      )}
    </div>
  )
}

function RunForm({ version, edits, label, initial, onStarted, onRefused, onOpenChange }: RunDialogProps & { label: string | null; initial: Record<string, unknown> }) {
  const { variables } = edits ?? definitionOf(version)
  const [typed, setTyped] = useState(() => writeInputs(variables, initial))
  const workspace = useSession().workspace_id
  const queryClient = useQueryClient()
  const toast = useToast()
  const { values, problems } = readInputs(variables, typed)
  const params = { path: { workflow_id_or_name: String(version.workflow_id) } }
  const body = { ...(label === null ? { workflow_version_number: version.version } : { workflow_label_name: label }), input_variables: values }
  const start = useMutation({
    mutationFn: () =>
      edits === null
        ? call(api.POST('/workflows/{workflow_id_or_name}/run', { params, body }))
        : call(api.POST('/workflows/{workflow_id_or_name}/dry-run', { params, body: { base_version: version.version, ...wholeOf(edits), input_variables: values } })),
    onSuccess: (answer) => {
      void queryClient.invalidateQueries({ queryKey: [...workflowKey(workspace, version.workflow_id), 'runs'] })
      if (answer.warning !== null) toast.done(answer.warning)
      onOpenChange(false)
      onStarted(answer.workflow_version_execution_id, version.version)
    },
    onError: (error) => {
      if (edits === null || !(error instanceof ApiError) || (error.status !== 400 && error.status !== 422)) return toast.failed(error)
      // Problems with the edits are shown above the graph and at the node.
      onOpenChange(false)
      onRefused(problemsOf(error, edits))
    },
  })
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (Object.keys(problems).length === 0) start.mutate()
      }}
    >
      <InputFields variables={variables} typed={typed} problems={problems} onChange={setTyped} />
      {edits === null && (
        <details>
          <summary className="text-[13px] text-dim">Show curl command</summary>
          <Snippet className="mt-2" code={curlFor(version, body)} />
        </details>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>Cancel</Button>
        <Button type="submit" look="primary" busy={start.isPending} disabled={Object.keys(problems).length > 0}>{edits === null ? 'Run' : 'Dry run'}</Button>
      </div>
    </form>
  )
}

function curlFor(version: Version, body: object): string {
  const data = JSON.stringify(body).replaceAll("'", "'\\''")
  return `curl -X POST ${window.location.origin}/workflows/${encodeURIComponent(version.workflow_name)}/run \\\n  -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' \\\n  -d '${data}'`
}
