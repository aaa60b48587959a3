import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { ago } from '@/lib/format'
import { itemQuery } from '@/request/data'
import { providersQuery } from '@/template/providers'
import { Button } from '@/ui/button'
import type { Playground } from './use-playground'

/** What one should know before running: no key, where it began, that it goes on. */
export function Notices({ playground, leftAt, request, onStartAfresh }: { playground: Playground; leftAt?: number; request?: number; onStartAfresh: () => void }) {
  // Who reloads the page knows what was on it.
  const [hidden, setHidden] = useState(() => leftAt === undefined || Date.now() - leftAt < 10 * 60_000)
  return (
    <>
      <NoProvider />
      {request !== undefined && <FromRequest request={request} />}
      {leftAt !== undefined && !hidden && (
        <Notice>
          <span>This is what you left here {ago(new Date(leftAt))}.</span>
          <Button small look="quiet" onClick={onStartAfresh}>Start afresh</Button>
          <Button small look="quiet" onClick={() => setHidden(true)}>Keep it</Button>
        </Notice>
      )}
      {!playground.kept && <Notice warn>What is on this page is too large to be kept in this browser. A reload loses it.</Notice>}
    </>
  )
}

function Notice({ warn, children }: { warn?: boolean; children: ReactNode }) {
  return (
    <div role="status" className={cn('flex flex-wrap items-center gap-x-2 border-b border-line px-4 py-1.5 text-[13px] md:px-5', warn ? 'bg-warn-soft text-warn' : 'bg-canvas text-dim')}>{children}</div>
  )
}

/** The first visit: a key is needed before anything can be run. */
function NoProvider() {
  const { workspace_id: workspace } = useSession()
  const manages = useMay('MANAGE_ENV_VARS')
  const providers = useQuery(providersQuery(workspace)).data
  if (providers === undefined || providers.some(({ configured }) => configured)) return null
  return (
    <section className="border-b border-line bg-surface px-4 py-4 md:px-5">
      <h2 className="font-semibold">Set a key to run prompts</h2>
      <p className="mt-1 max-w-2xl text-dim">
        The playground calls models with the keys of this workspace, and none is set yet. A key of one provider is enough, such as OpenAI or Anthropic; a server of your own that
        speaks like OpenAI’s works as well. You can write messages before that.
      </p>
      <p className="mt-2">
        {manages ? (
          <Link to="/$workspace/settings/$section" params={{ workspace: String(workspace), section: 'providers' }} search={{}} className="font-medium text-accent-ink underline">Set a key in the settings</Link>
        ) : (
          <span className="text-dim">Somebody who may manage environment variables can set one in the settings, under Providers.</span>
        )}
      </p>
    </section>
  )
}

/** Where the messages came from, and the template that they were made with. */
function FromRequest({ request }: { request: number }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const item = useQuery({ ...itemQuery(workspace_id, request), staleTime: 60_000 }).data
  return (
    <Notice>
      <span>
        Began with{' '}
        <Link to="/$workspace/requests" params={{ workspace }} search={{ request }} className="text-accent-ink underline">request {request}</Link>: what was sent, without the answer.
      </span>
      {item?.prompt_id != null && (
        <span>
          It was made with{' '}
          <Link to="/$workspace/playground" params={{ workspace }} search={{ prompt: item.prompt_id, version: item.prompt_version_number ?? undefined }} className="text-accent-ink underline">
            {item.prompt_name ?? `prompt ${item.prompt_id}`}, version {item.prompt_version_number}
          </Link>, which you can open instead.
        </span>
      )}
    </Notice>
  )
}
