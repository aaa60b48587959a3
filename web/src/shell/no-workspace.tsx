import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQuery, signOut } from '@/api/session'
import { Button } from '@/ui/button'
import { Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'

/** What a link to a workspace shows to somebody who is not in it: who they are, and where they can go. */
export function NoWorkspace() {
  const { data: session, isPending } = useQuery(sessionQuery(null))
  const toast = useToast()
  useEffect(() => {
    document.title = 'Not your workspace · Promptuary'
  }, [])
  if (isPending) return <main><Loading /></main>
  const workspaces = session?.workspaces ?? []
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-md flex-col gap-4 rounded-xl border border-line bg-surface p-7 shadow-pop">
        <div className="flex items-center gap-2.5">
          <img src="/app/favicon.svg" alt="" className="size-8" />
          <h1 className="text-lg font-semibold">You are not in this workspace</h1>
        </div>
        <p className="text-dim">
          {session?.user && <>You are signed in as <strong className="font-medium break-all text-ink">{session.user.email}</strong>. </>}
          Whoever administers the workspace can invite you. The address may also be mistyped.
        </p>
        {workspaces.length > 0 && (
          <nav aria-label="Your workspaces">
            <h2 className="mb-1 text-[13px] font-semibold">Your workspaces</h2>
            <ul className="flex flex-col">
              {workspaces.map(({ id, name }) => (
                // A full load, as everywhere between workspaces: nothing of one is left in the other's pages.
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
