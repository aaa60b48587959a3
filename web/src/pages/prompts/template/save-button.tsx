import { useEffect, useState } from 'react'
import { useMay } from '@/api/session'
import type { Version } from '@/template/data'
import { Button } from '@/ui/button'
import type { Draft } from './draft'
import { SaveDialog } from './save-dialog'

/** Opens the save dialog, as Ctrl+S or Cmd+S does. */
export function SaveButton({ draft, versions }: { draft: Draft; versions: Version[] }) {
  const mayEdit = useMay('PROMPT_EDIT')
  const [open, setOpen] = useState(false)
  const { dirty } = draft
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (dirty && mayEdit) setOpen(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [dirty, mayEdit])
  return (
    <>
      <span title={!mayEdit ? 'Your role does not allow you to edit prompts' : dirty ? 'Ctrl+S or Cmd+S' : undefined}>
        <Button look="primary" disabled={!mayEdit} onClick={() => setOpen(true)}>Save…</Button>
      </span>
      {open && <SaveDialog draft={draft} versions={versions} onClose={() => setOpen(false)} />}
    </>
  )
}
