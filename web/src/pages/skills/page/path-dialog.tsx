import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
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
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    setTouched(true)
    if (problem === null && path !== moving) onDone(path)
  }
  return (
    <Dialog
      open
      size="narrow"
      title={title}
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="path-form" disabled={path === moving}>{action}</Button>
        </>
      }
    >
      <form id="path-form" onSubmit={submit}>
        <Field label="Path" hint="Relative to the root of the collection. Folders are created as needed." error={touched ? problem : null}>
          {(control) => <Input {...control} autoFocus spellCheck={false} className="font-mono text-xs" placeholder="triage/SKILL.md" value={path} onChange={(event) => setPath(event.target.value)} onBlur={() => setTouched(path !== begin)} />}
        </Field>
      </form>
    </Dialog>
  )
}
