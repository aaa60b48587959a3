import { Link } from '@tanstack/react-router'
import { ListTree, ScrollText } from 'lucide-react'
import { traces } from '@/query/fields'
import { addFilter } from '@/query/state'
import { buttonClass } from '@/ui/button'

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
