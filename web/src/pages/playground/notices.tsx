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

/** Notices before running: no API key, the origin of the messages, a continued session. */
export function Notices({ playground, leftAt, request, onStartOver }: { playground: Playground; leftAt?: number; request?: number; onStartOver: () => void }) {
  // No notice after a reload.
  const [hidden, setHidden] = useState(() => leftAt === undefined || Date.now() - leftAt < 10 * 60_000)
  return (
    <>
      <NoProvider />
      {request !== undefined && <FromRequest request={request} />}
      {leftAt !== undefined && !hidden && (
        <Notice>
          <span>Restored your session from {ago(new Date(leftAt))}.</span>
          <Button small look="quiet" onClick={onStartOver}>Start over</Button>
          <Button small look="quiet" onClick={() => setHidden(true)}>Dismiss</Button>
        </Notice>
      )}
      {!playground.kept && <Notice warn>This session is too large to be stored in the browser. Reloading the page loses it.</Notice>}
    </>
  )
}

function Notice({ warn, children }: { warn?: boolean; children: ReactNode }) {
  return (
    <div role="status" className={cn('flex flex-wrap items-center gap-x-2 border-b border-line px-4 py-1.5 text-[13px] md:px-5', warn ? 'bg-warn-soft text-warn' : 'bg-canvas text-dim')}>{children}</div>
  )
}

/** Shown on the first visit: an API key is needed to run anything. */
function NoProvider() {
  const { workspace_id: workspace } = useSession()
  const manages = useMay('MANAGE_ENV_VARS')
  const providers = useQuery(providersQuery(workspace)).data
  if (providers === undefined || providers.some(({ configured }) => configured)) return null
  return (
    <section className="border-b border-line bg-surface px-4 py-4 md:px-5">
      <h2 className="font-semibold">Add an API key to run prompts</h2>
      <p className="mt-1 max-w-2xl text-dim">
        The playground calls models with the API keys of this workspace. Add a key for any provider, such as OpenAI or Anthropic, or configure
        an OpenAI-compatible server. You can already write messages.
      </p>
      <p className="mt-2">
        {manages ? (
          <Link to="/$workspace/settings/$section" params={{ workspace: String(workspace), section: 'providers' }} search={{}} className="font-medium text-accent-ink underline">Add a key in settings</Link>
        ) : (
          <span className="text-dim">Ask a member with permission to manage environment variables to add one under Settings, Providers.</span>
        )}
      </p>
    </section>
  )
}

/** Where the messages came from, and the prompt they were created with. */
function FromRequest({ request }: { request: number }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const item = useQuery({ ...itemQuery(workspace_id, request), staleTime: 60_000 }).data
  return (
    <Notice>
      <span>
        Started from{' '}
        <Link to="/$workspace/requests" params={{ workspace }} search={{ request }} className="text-accent-ink underline">request {request}</Link>, without its answer.
      </span>
      {item?.prompt_id != null && (
        <span>
          To start from the prompt instead, open{' '}
          <Link to="/$workspace/playground" params={{ workspace }} search={{ prompt: item.prompt_id, version: item.prompt_version_number ?? undefined }} className="text-accent-ink underline">
            {item.prompt_name ?? `prompt ${item.prompt_id}`}, version {item.prompt_version_number}
          </Link>.
        </span>
      )}
    </Notice>
  )
}
