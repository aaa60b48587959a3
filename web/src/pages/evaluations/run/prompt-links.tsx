import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MessageSquareText } from 'lucide-react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import type { Column } from '@/evaluation/data'
import { promptsOf, type PromptUse } from './prompts'

/** Links to the prompts that the columns use, at their versions. */
export function PromptLinks({ columns }: { columns: Pick<Column, 'column_type' | 'configuration'>[] }) {
  return promptsOf(columns).map((use) => <PromptLink key={JSON.stringify(use)} use={use} />)
}

function PromptLink({ use }: { use: PromptUse }) {
  const { workspace_id: workspace } = useSession()
  const { identifier, version, label } = use
  const prompt = useQuery({
    queryKey: ['w', workspace, 'prompts', 'of-evaluation', use],
    queryFn: ({ signal }) => call(api.GET('/prompt-templates/{identifier}', { params: { path: { identifier }, query: { version, label, resolve_snippets: false } }, signal })),
    staleTime: 60_000,
    retry: false,
  }).data
  if (prompt === undefined) return null
  return (
    <Link
      to="/$workspace/prompts/$prompt"
      params={{ workspace: String(workspace), prompt: String(prompt.id) }}
      search={version === undefined && label === undefined ? {} : { version: prompt.version }}
      className="flex min-w-0 items-center gap-1 text-[13px] text-dim hover:text-ink hover:underline"
    >
      <MessageSquareText className="size-3.5 shrink-0" /> <span className="truncate">{prompt.prompt_name} {label ?? version ?? ''}</span>
    </Link>
  )
}
