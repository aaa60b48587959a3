import { Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { requestCount } from '@/deletion/words'
import { Button } from '@/ui/button'

const DeleteDialog = lazy(() => import('@/deletion/delete-dialog').then((module) => ({ default: module.DeleteDialog })))

/** The ids of the selected requests. */
export type Selected = ReadonlySet<number>

export const none: Selected = new Set()

/** The selection with a request added or removed. */
export function toggled(selected: Selected, id: number): Selected {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** What can be done with the selected requests. */
export function SelectedActions({ selected, onDeleted, onClear }: { selected: Selected; onDeleted: () => void; onClear: () => void }) {
  // Selecting others does not change what is being deleted.
  const [deleting, setDeleting] = useState<Selected | null>(null)
  return (
    <>
      <span className="tabular ml-2 text-dim">{requestCount(selected.size)} selected</span>
      <Button small look="danger" onClick={() => setDeleting(selected)}><Trash2 /> Delete…</Button>
      <Button small look="quiet" onClick={onClear}>Clear</Button>
      {deleting && (
        <Suspense>
          <DeleteDialog
            title="Delete requests" subject={`The ${deleting.size === 1 ? 'request that you have' : `${requestCount(deleting.size)} that you have`} selected.`}
            selection={{ request_ids: [...deleting] }} onDeleted={onDeleted} onClose={() => setDeleting(null)}
          />
        </Suspense>
      )}
    </>
  )
}
