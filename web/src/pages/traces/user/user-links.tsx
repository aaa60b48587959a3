import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { ListTree, ScrollText, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '@/api/session'
import { traces } from '@/query/fields'
import { addFilter } from '@/query/state'
import { Button, buttonClass } from '@/ui/button'

const DeleteDialog = lazy(() => import('@/deletion/delete-dialog').then((module) => ({ default: module.DeleteDialog })))

/** Links to the lists with what concerns a user. Requests without a trace name their user in the metadata. */
export function UserLinks({ workspace, id }: { workspace: number; id: string }) {
  const params = { workspace: String(workspace) }
  return (
    <>
      <Link to="/$workspace/traces" params={params} search={addFilter({ q: undefined, range: 'all' }, 'user', id, undefined, traces)} className={buttonClass()}><ListTree /> Traces</Link>
      <Link to="/$workspace/requests" params={params} search={addFilter({ q: undefined, range: 'all' }, 'metadata', id, 'user_id')} title="Requests whose metadata has this user_id" className={buttonClass()}><ScrollText /> Requests</Link>
    </>
  )
}

/** Deletes everything of a user, if the role allows that. */
export function DeleteUser({ workspace, id }: { workspace: number; id: string }) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  if (!useMay('MANAGE_DATA')) return null
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}><Trash2 /> Delete everything of this user…</Button>
      {asking && (
        <Suspense>
          <DeleteDialog
            title={`Delete everything of ${id}`}
            subject={`All requests whose metadata has the user_id ${id}, and all traces of this user.`}
            selection={{ user_id: id }}
            onDeleted={() => void queryClient.invalidateQueries({ queryKey: ['w', workspace, 'traces'] })}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
