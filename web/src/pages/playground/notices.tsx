import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { ago } from '@/lib/format'
import { itemQuery, type RequestItem } from '@/request/data'
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
      {request !== undefined && <FromRequest request={request} playground={playground} />}
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

/** What the session started from. */
function FromRequest({ request, playground }: { request: number; playground: Playground }) {
  const { workspace_id } = useSession()
  const workspace = String(workspace_id)
  const item = useQuery({ ...itemQuery(workspace_id, request), staleTime: 60_000 }).data
  const lost = item?.prompt_id != null && playground.session.shared.source === null
  return (
    <Notice warn={lost}>
      <span>
        Started from{' '}
        <Link to="/$workspace/requests" params={{ workspace }} search={{ request, range: 'all' }} className="text-accent-ink underline">request {request}</Link>
        {item && startOf(item, lost)}
      </span>
      {lost && <span>Its prompt {item.prompt_name ?? ''} could not be loaded, so variables are already filled in.</span>}
    </Notice>
  )
}

/** What was taken from the request. The prompt of the session may be another one by now, because it follows what is saved. */
function startOf({ prompt_id, prompt_name, prompt_version_number }: RequestItem, lost: boolean): string {
  if (prompt_id == null || lost) return ', with its messages and model.'
  return `, with the prompt ${prompt_name ?? prompt_id}, version ${prompt_version_number ?? ''}, and the variables and model of the request.`
}
