import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState, type ComponentProps } from 'react'
import { useMay, useSession } from '@/api/session'
import { groupsQuery, isDraft, versionsQuery } from '@/dataset/data'
import { nameOfFile } from '@/dataset/value'
import { bytes } from '@/lib/format'
import { useUnsaved } from '@/lib/unsaved'
import { Combobox } from '@/ui/combobox'
import { useConfirm } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { FileButton as AnyFileButton } from '@/ui/file-button'
import { FormDialog } from '@/ui/form-dialog'
import { fileProblem } from './body'
import { ImportProgress } from './progress'
import { useImport, type Imported } from './use-import'

/** Asks for the target of a file and imports it. */
export function ImportDialog({ file, group, onFile, onClose, onDone }: {
  file: File
  /** The dataset that gets a new version; if omitted, the dialog asks. */
  group?: { id: number; name: string }
  onFile: (file: File) => void
  onClose: () => void
  onDone: (imported: Imported) => void
}) {
  const mayCreate = useMay('DATASET_CREATE')
  const [name, setName] = useState(() => nameOfFile(file.name))
  const [target, setTarget] = useState<number | null>(group?.id ?? (mayCreate ? null : 0))
  const { step, start, stop, isBusy } = useImport(onDone)
  const confirm = useConfirm()
  const busy = step.at === 'reading' || step.at === 'sending' || step.at === 'importing'
  const problem = fileProblem(file)
  const leave = async () => {
    if (isBusy() && !(await confirm({ title: 'Stop import?', body: `${file.name} will not be imported.`, action: 'Stop import', danger: true }))) return false
    stop()
    return true
  }
  // Otherwise the user would have to choose the file again.
  useUnsaved(true)
  useBlocker({ shouldBlockFn: async () => isBusy() && !(await leave()), enableBeforeUnload: busy })
  const close = async () => {
    if (await leave()) onClose()
  }
  const ready = problem === null && !busy && (target === null ? name.trim() !== '' : target > 0)
  return (
    <FormDialog
      size="narrow"
      title={`Import ${file.name}`}
      description={`${bytes(file.size)}. Creates a version with columns from the ${/\.json$/i.test(file.name) ? 'keys of the objects' : 'first line'}.`}
      action={step.at === 'failed' ? 'Try again' : 'Import'}
      cancel={busy ? 'Stop' : undefined}
      busy={busy}
      ready={ready}
      onSubmit={() => start(file, target === null ? { name: name.trim() } : { group: target })}
      onClose={() => void close()}
    >
      {busy ? (
        <ImportProgress step={step} />
      ) : (
        <div className="flex flex-col gap-4">
          {group === undefined && <Destination name={name} onName={setName} target={target} onTarget={setTarget} mayCreate={mayCreate} />}
          {target !== null && target > 0 && <DraftWarning group={target} />}
          {(problem !== null || step.at === 'failed') && (
            <div role="alert" className="flex flex-col items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-bad">
              {problem ?? (step.at === 'failed' ? step.message : '')}
              <FileButton small onFile={onFile}>Choose another file</FileButton>
            </div>
          )}
        </div>
      )}
    </FormDialog>
  )
}

function Destination({ name, onName, target, onTarget, mayCreate }: { name: string; onName: (name: string) => void; target: number | null; onTarget: (group: number | null) => void; mayCreate: boolean }) {
  const { workspace_id: workspace } = useSession()
  const groups = useQuery(groupsQuery(workspace, { sort: 'name' })).data ?? []
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Import to</legend>
      <label className="flex items-center gap-2">
        <input type="radio" name="destination" className="accent-(--accent)" disabled={!mayCreate} checked={target === null} onChange={() => onTarget(null)} /> New dataset
      </label>
      {target === null && <Field label="Name">{(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => onName(event.target.value)} />}</Field>}
      <label className="flex items-center gap-2">
        <input type="radio" name="destination" className="accent-(--accent)" disabled={groups.length === 0} checked={target !== null} onChange={() => onTarget(0)} /> New version of an existing dataset
      </label>
      {target !== null && (
        <Combobox label="Dataset" value={target === 0 ? null : String(target)} onChange={(id) => onTarget(Number(id))} options={groups.map((group) => ({ value: String(group.id), label: group.name, note: group.path.join(' / ') }))} />
      )}
    </fieldset>
  )
}

/** Warns that a draft with rows will be lost, because the server replaces it. */
function DraftWarning({ group }: { group: number }) {
  const { workspace_id: workspace } = useSession()
  const versions = useQuery(versionsQuery(workspace, group)).data ?? []
  const draft = versions.find(isDraft)
  const next = Math.max(0, ...versions.map(({ version_number }) => version_number)) + 1
  return (
    <p className={draft && draft.column_names.length > 0 ? 'rounded-md bg-warn-soft px-3 py-2 text-warn' : 'text-dim'}>
      {draft && draft.column_names.length > 0 ? `This dataset has a draft. The file replaces its rows and becomes version ${next}. To keep the rows, save the draft first.` : `Creates version ${next}.`}
    </p>
  )
}

/** A button to choose a file of rows. */
export function FileButton(props: Omit<ComponentProps<typeof AnyFileButton>, 'accept'>) {
  return <AnyFileButton accept=".csv,.json,text/csv,application/json" {...props} />
}
