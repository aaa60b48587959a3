import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQuery, signOut } from '@/api/session'
import { Button } from '@/ui/button'
import { Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'

/** Shown when a user opens a workspace they are not a member of: who is signed in, and their workspaces. */
export function NoWorkspace() {
  const { data: session, isPending } = useQuery(sessionQuery(null))
  const toast = useToast()
  useEffect(() => {
    document.title = 'No access · Promptuary'
  }, [])
  if (isPending) return <main><Loading /></main>
  const workspaces = session?.workspaces ?? []
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-md flex-col gap-4 rounded-xl border border-line bg-surface p-7 shadow-pop">
        <div className="flex items-center gap-2.5">
          <img src="/app/favicon.svg" alt="" className="size-8" />
          <h1 className="text-lg font-semibold">You are not a member of this workspace</h1>
        </div>
        <p className="text-dim">
          {session?.user && <>You are signed in as <strong className="font-medium break-all text-ink">{session.user.email}</strong>. </>}
          Ask an administrator of the workspace to invite you, or check the address for typos.
        </p>
        {workspaces.length > 0 && (
          <nav aria-label="Your workspaces">
            <h2 className="mb-1 text-[13px] font-semibold">Your workspaces</h2>
            <ul className="flex flex-col">
              {workspaces.map(({ id, name }) => (
                // Full page load, so that no data of one workspace remains in the pages of another.
                <li key={id}><a href={`/app/${id}/requests`} className="-mx-2 block truncate rounded-md px-2 py-1.5 text-accent-ink hover:bg-hover">{name}</a></li>
              ))}
            </ul>
          </nav>
        )}
        <Button className="self-start" onClick={() => void signOut().catch(toast.failed)}>Sign out</Button>
      </div>
    </main>
  )
}
