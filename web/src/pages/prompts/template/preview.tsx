import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, type ReactNode } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { renderDraft, type Rendered } from '@/template/render'
import { readTemplate, text, type ContentItem, type PromptTemplate } from '@/template/types'
import { readValue, templateSnippets, templateVariables, type SnippetRef } from '@/template/variables'
import { ErrorState, Loading } from '@/ui/page'

/**
 * The rendered template. The server renders stored versions; unsaved changes are
 * rendered here.
 */
export function Preview({ template, values, stored }: { template: PromptTemplate; values: Record<string, string>; stored: { prompt: number; version: number } | null }) {
  const given = Object.fromEntries(Object.entries(useDeferredValue(values)).filter(([, typed]) => typed !== '').map(([name, typed]) => [name, readValue(typed)]))
  return stored === null ? <LocalPreview template={template} values={given} /> : <ServerPreview {...stored} values={given} />
}

function ServerPreview({ prompt, version, values }: { prompt: number; version: number; values: Record<string, unknown> }) {
  const { workspace_id: workspace } = useSession()
  const { data, error } = useQuery({
    queryKey: ['w', workspace, 'prompts', String(prompt), 'rendered', version, values],
    queryFn: () => call(api.POST('/prompt-templates/{identifier}', { params: { path: { identifier: String(prompt) } }, body: { version, input_variables: values } })),
    placeholderData: (previous) => previous,
    gcTime: 60_000,
  })
  if (error) return <ErrorState error={error} />
  if (data === undefined) return <Loading label="Rendering" />
  const rendered = readTemplate(data.prompt_template)
  return (
    <>
      {data.warning && <Note>{data.warning}</Note>}
      {hasJinja(rendered) && <Note>A text was not rendered because its Jinja code has an error, such as an unclosed block.</Note>}
      <RenderedTemplate value={rendered} />
    </>
  )
}

/** Reports whether Jinja code is left in a text, which happens only when it could not be parsed. */
function hasJinja(template: Rendered): boolean {
  const holders = template.type === 'completion' ? [template] : template.messages
  return holders.some((holder) => holder.template_format === 'jinja2' && (holder.content ?? []).some((item) => text(item.text).includes('{%')))
}

function Note({ children }: { children: ReactNode }) {
  return <p role="status" className="rounded-md bg-info-soft px-3 py-2 text-[13px] whitespace-pre-line text-info">{children}</p>
}

function LocalPreview({ template, values }: { template: PromptTemplate; values: Record<string, unknown> }) {
  const snippets = useSnippetTexts(templateSnippets(template))
  const { rendered, exact } = renderDraft(template, values, snippets)
  const missing = templateVariables(template).filter((name) => !(name in values))
  return (
    <>
      {missing.length > 0 && <Note>Missing values (rendered as empty): {missing.join(', ')}</Note>}
      {!exact && <Note>Unsaved changes: only plain variables are rendered here. Save the prompt to render all Jinja code.</Note>}
      <RenderedTemplate value={rendered} />
    </>
  )
}

/** The texts of snippets by their tags, with nested snippets resolved. */
function useSnippetTexts(refs: SnippetRef[]): Record<string, string> {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery({
    queryKey: ['w', workspace, 'prompts', 'snippet-texts', refs.map(({ tag }) => tag)],
    queryFn: async () => {
      const texts = await Promise.all(
        refs.map(async ({ tag, name, version, label }) => {
          const found = await call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier: name }, query: { version, label } } })).catch(() => null)
          const template = found === null ? null : readTemplate(found.prompt_template)
          return [tag, template?.type === 'completion' ? template.content.map((item) => text(item.text)).join('') : tag] as const
        }),
      )
      return Object.fromEntries(texts)
    },
    enabled: refs.length > 0,
    staleTime: 60_000,
  })
  return data ?? {}
}

function RenderedTemplate({ value }: { value: Rendered }) {
  if (value.type === 'completion') return <div className="rounded-lg border border-line bg-surface p-3"><Items items={value.content} /></div>
  return (
    <ol aria-label="Rendered messages" className="flex flex-col gap-2.5">
      {value.messages.map((message, index) => (
        <li key={index} className="rounded-lg border border-line bg-surface p-3">
          <p className="mb-1 text-xs font-semibold text-dim">{message.role}{message.name ? ` · ${message.name}` : ''}</p>
          <Items items={message.content ?? []} />
          {message.tool_calls?.map((call) => <p key={call.id} className="mt-1 font-mono text-xs text-warn">{call.function.name}({call.function.arguments})</p>)}
        </li>
      ))}
    </ol>
  )
}

function Items({ items }: { items: ContentItem[] }) {
  return items.map((item, index) =>
    item.type === 'text' ? (
      <p key={index} className="break-words whitespace-pre-wrap">{text(item.text) || <span className="text-faint">empty</span>}</p>
    ) : (
      <p key={index} className="mt-1 truncate font-mono text-xs text-faint">[{item.type}] {JSON.stringify(item).slice(0, 200)}</p>
    ),
  )
}
