import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { count, dateTime, duration, money } from '@/lib/format'
import type { Blueprint } from '@/request/blueprint'
import { CopyText, Section } from '@/request/content'
import type { RequestItem } from '@/request/data'
import { Badge } from '@/ui/badge'
import { JsonView } from '@/ui/json'
import { Metadata } from './metadata'
import { Scores } from './scores'

export type Filter = (field: string, value: string, key?: string) => void

/** Everything about a request except its messages. */
export function Details({ item, blueprint, onFilter }: { item: RequestItem; blueprint: Blueprint; onFilter: Filter }) {
  return (
    <div className="flex flex-col gap-5">
      <Scores key={item.id} item={item} />
      <Metadata key={`metadata ${item.id}`} item={item} onFilter={(key, value) => onFilter('metadata', value, key)} />
      <Section title="Tags">
        {item.tags_array.length === 0 ? <p className="text-faint">None</p> : (
          <ul className="flex flex-wrap gap-1.5">
            {item.tags_array.map((tag) => <li key={tag}><button type="button" title={`Filter by tag ${tag}`} onClick={() => onFilter('tags', tag)} className="rounded hover:opacity-80"><Badge tone="accent">{tag}</Badge></button></li>)}
          </ul>
        )}
      </Section>
      {item.prompt_id != null && <Variables item={item} />}
      <Facts item={item} blueprint={blueprint} onFilter={onFilter} />
      {Object.keys(blueprint.parameters).length > 0 && <Section title="Parameters"><JsonView value={blueprint.parameters} /></Section>}
    </div>
  )
}

function Facts({ item, blueprint, onFilter }: { item: RequestItem; blueprint: Blueprint; onFilter: Filter }) {
  const { workspace_id: workspace } = useSession()
  const facts: [string, ReactNode][] = [
    ['ID', <span key="id" className="flex items-center gap-1">{item.id} <CopyText text={String(item.id)} what="ID" /></span>],
    ['Started', dateTime(item.request_start_time)],
    ['Ended', dateTime(item.request_end_time)],
    ['Latency', duration(item.latency * 1000)],
    ['Logged', item.created_at ? dateTime(item.created_at) : null],
    ['Tokens', `${count(item.input_tokens)} input, ${count(item.output_tokens)} output`],
    ['Cached tokens', item.cached_tokens ? count(item.cached_tokens) : null],
    ['Thinking tokens', item.thinking_tokens ? count(item.thinking_tokens) : null],
    ['Cost', item.price === 0 ? '$0' : `${money(item.price)} (${item.price})`],
    ['Provider', <FilterLink key="p" text={item.provider_type} onClick={() => onFilter('provider_type', item.provider_type)} />],
    ['Model', <FilterLink key="m" text={item.engine} onClick={() => onFilter('engine', item.engine)} />],
    ['Source', <FilterLink key="s" text={item.source ?? ''} onClick={() => onFilter('source', item.source ?? '')} />],
    ['API key', item.api_key_id == null ? null : <KeyName key="k" item={item} onFilter={onFilter} />],
    ['API type', blueprint.apiType],
    ['Function', item.function_name || null],
    ['Prompt', item.prompt_id == null ? null : (
      <Link key="prompt" to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(item.prompt_id) }} search={{ version: item.prompt_version_number ?? undefined }} className="text-accent-ink underline">
        {item.prompt_name ?? item.prompt_id}, version {item.prompt_version_number}
      </Link>
    )],
    ['Group', item.group_id ?? null],
    ['Trace', item.trace_id ? (
      <Link key="trace" to="/$workspace/traces/$trace" params={{ workspace: String(workspace), trace: item.trace_id }} search={{ span: item.span_id ?? undefined }} className="font-mono text-xs text-accent-ink underline">
        {item.trace_id}
      </Link>
    ) : null],
    ['Span', item.span_id ? <span key="span" className="font-mono text-xs">{item.span_id}</span> : null],
  ]
  return (
    <Section title="Properties">
      <dl className="grid grid-cols-[9rem_1fr] gap-y-1 text-[13px]">
        {facts.filter(([, value]) => value !== null && value !== undefined && value !== '').map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-dim">{name}</dt>
            <dd className="tabular min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function FilterLink({ text, onClick }: { text: string; onClick: () => void }) {
  if (text === '') return null
  return <button type="button" onClick={onClick} title={`Filter by ${text}`} className="text-left underline decoration-line-strong underline-offset-2 hover:decoration-current">{text}</button>
}

/** The name of the API key. The API returns it as for filters. */
function KeyName({ item, onFilter }: { item: RequestItem; onFilter: Filter }) {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: ['w', workspace, 'requests', 'key', item.id],
    queryFn: ({ signal }) => {
      const filter_group = JSON.stringify({ logic: 'AND', filters: [{ field: 'pl_id', operator: 'is', value: item.id }] })
      return call(api.GET('/api/public/v2/requests/suggestions', { params: { query: { field: 'api_key', filter_group } }, signal }))
    },
    staleTime: Infinity,
  })
  const name = data?.values[0]
  return name === undefined ? item.api_key_id : <FilterLink text={name} onClick={() => onFilter('api_key', name)} />
}

/** The input variables of the prompt. The API returns them one by one, as for filters. */
function Variables({ item }: { item: RequestItem }) {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: ['w', workspace, 'requests', 'variables', item.id],
    queryFn: async ({ signal }) => {
      const filter = JSON.stringify({ logic: 'AND', filters: [{ field: 'pl_id', operator: 'is', value: item.id }] })
      const ask = (query: { field: 'input_variable_keys' | 'input_variable_values'; metadata_key?: string }) =>
        call(api.GET('/api/public/v2/requests/suggestions', { params: { query: { ...query, filter_group: filter } }, signal }))
      const { values: keys } = await ask({ field: 'input_variable_keys' })
      return Promise.all(keys.slice(0, 50).map(async (key) => ({ key, values: (await ask({ field: 'input_variable_values', metadata_key: key })).values })))
    },
    staleTime: Infinity,
  })
  if (data === undefined || data.length === 0) return null
  return (
    <Section title="Input variables">
      <dl className="grid grid-cols-[9rem_1fr] gap-y-1 text-[13px]">
        {data.map(({ key, values }) => (
          <div key={key} className="contents">
            <dt className="truncate font-mono text-xs leading-5 text-dim" title={key}>{key}</dt>
            <dd className="min-w-0 break-words whitespace-pre-wrap">{values.join('\n')}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
