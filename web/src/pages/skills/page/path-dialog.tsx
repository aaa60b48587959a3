import { useState } from 'react'
import { Field, Input } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { pathProblem, type DraftFiles } from '../files/draft'

/** Asks for the path of a new file, or the new path of a file or folder. */
export function PathDialog({ title, action, begin, moving, files, onDone, onClose }: {
  title: string
  action: string
  /** The initial value. */
  begin: string
  /** The file or folder to move. */
  moving?: string
  files: DraftFiles
  onDone: (path: string) => void
  onClose: () => void
}) {
  const [path, setPath] = useState(begin)
  const [touched, setTouched] = useState(false)
  const problem = path === moving ? null : pathProblem(path, files, moving)
  const submit = () => {
    setTouched(true)
    if (problem === null && path !== moving) onDone(path)
  }
  return (
    <FormDialog
      size="narrow"
      title={title}
      action={action}
      ready={path !== moving}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Path" hint="Relative to the root of the collection. Folders are created as needed." error={touched ? problem : null}>
        {(control) => <Input {...control} autoFocus spellCheck={false} className="font-mono text-xs" placeholder="triage/SKILL.md" value={path} onChange={(event) => setPath(event.target.value)} onBlur={() => setTouched(path !== begin)} />}
      </Field>
    </FormDialog>
  )
}
