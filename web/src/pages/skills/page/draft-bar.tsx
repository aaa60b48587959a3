import { Save } from 'lucide-react'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { summarize } from '../files/draft'
import type { Draft } from './use-draft'

/** Shows that there are unsaved edits, with a button to save them. */
export function DraftBar({ draft, onSave }: { draft: Draft; onSave: () => void }) {
  const confirm = useConfirm()
  const discard = async () => {
    const yes = await confirm({ title: 'Discard changes?', body: `${summarize(draft.states)} since version ${draft.base}. These changes will be lost.`, action: 'Discard', danger: true })
    if (yes) draft.discard()
  }
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-warn-soft px-4 py-1.5 text-[13px]">
      <span className="min-w-0 flex-1 text-warn"><span className="font-medium">Unsaved changes:</span> {summarize(draft.states).toLowerCase()}</span>
      <span className="flex gap-2">
        <Button small onClick={() => void discard()}>Discard</Button>
        <Button small look="primary" onClick={onSave}><Save /> Save version</Button>
      </span>
    </div>
  )
}
