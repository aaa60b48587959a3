import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { itemQuery, replayQuery } from '@/request/data'
import { promptQuery } from '@/template/data'
import { LoadError, Loading, Page } from '@/ui/page'
import { emptySession, sessionOfLog, sessionOfVersion } from './model/start'
import { load, prefixOf, seedOf } from './model/storage'
import type { Search } from './search'
import { Workbench } from './workbench'

/** Tries prompts, with several versions or models side by side. */
export default function PlaygroundPage() {
  const search = useSearch({ from: '/$workspace/playground' })
  const { workspace_id: workspace, user } = useSession()
  const [round, setRound] = useState(0)
  const prefix = prefixOf(workspace, user?.id ?? null)
  const seed = seedOf(search)
  return <Begin key={`${prefix}${seed} ${round}`} search={search} prefix={prefix} seed={seed} onStartOver={() => setRound(round + 1)} />
}

interface BeginProps {
  search: Search
  prefix: string
  seed: string
  onStartOver: () => void
}

/** Continues the session stored for this URL, or starts with what the URL names. */
function Begin({ search, prefix, seed, onStartOver }: BeginProps) {
  const [kept] = useState(() => load(localStorage, prefix, seed))
  const begin = { prefix, seed, onStartOver }
  if (kept !== null) return <Workbench {...begin} session={kept.session} answers={kept.answers} leftAt={kept.at} request={search.request} />
  if (search.request !== undefined) return <FromLog {...begin} request={search.request} />
  if (search.prompt !== undefined) return <FromVersion {...begin} prompt={search.prompt} version={search.version} />
  return <Workbench {...begin} session={emptySession()} answers={{}} />
}

type SourceProps = Pick<BeginProps, 'prefix' | 'seed' | 'onStartOver'>

function FromVersion({ prompt, version, ...begin }: SourceProps & { prompt: number; version?: number }) {
  const { workspace_id: workspace } = useSession()
  const { data, error, refetch } = useQuery(promptQuery(workspace, String(prompt), version))
  if (data !== undefined) return <Workbench {...begin} session={sessionOfVersion(data)} answers={{}} />
  return <Page title="Playground">{error ? <LoadError what={version === undefined ? 'prompt' : 'version'} error={error} retry={() => void refetch()} /> : <Loading label="Loading prompt" />}</Page>
}

/** Starts with the version that a request was made from. If it was deleted, or the user may not read it, with the messages of the request. */
function FromLog({ request, ...begin }: SourceProps & { request: number }) {
  const { workspace_id: workspace } = useSession()
  const log = useQuery(replayQuery(workspace, request))
  const item = useQuery({ ...itemQuery(workspace, request), staleTime: 60_000 })
  const linked = item.data?.prompt_id != null
  const version = useQuery({ ...promptQuery(workspace, String(item.data?.prompt_id), item.data?.prompt_version_number ?? undefined), enabled: linked, retry: false })
  const error = log.error ?? item.error
  if (error) return <Page title="Playground"><LoadError what="request" error={error} retry={() => void Promise.all([log.refetch(), item.refetch()])} /></Page>
  if (log.data === undefined || item.data === undefined || (linked && version.isPending)) return <Page title="Playground"><Loading label="Loading request" /></Page>
  return <Workbench {...begin} session={sessionOfLog(log.data, linked ? version.data : undefined)} answers={{}} request={request} />
}
