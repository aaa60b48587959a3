import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { snippetUsageQuery, type Prompt } from '@/template/data'
import { Badge } from '@/ui/badge'
import { labelTone } from '@/ui/label-tone'

/** The prompts that use a snippet. */
export function SnippetUsage({ prompt }: { prompt: Prompt }) {
  const { workspace_id: workspace } = useSession()
  const { data, error } = useQuery(snippetUsageQuery(workspace, String(prompt.id)))
  if (error) return <p role="alert" className="text-[13px] text-bad">{error.message}</p>
  if (data === undefined) return <p className="text-[13px] text-faint">Loading…</p>
  if (data.snippet_usage.length === 0) {
    return <p className="text-[13px] text-dim">Not used in any prompt yet. Add <code className="font-mono text-xs break-all">@@@{prompt.prompt_name}@@@</code> to a message to use it.</p>
  }
  return (
    <ul className="flex flex-col">
      {data.snippet_usage.map((one) => (
        <li key={one.prompt_registry_id} className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line py-1.5 first:pt-0 last:border-0 last:pb-0">
          <Link to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(one.prompt_registry_id) }} search={{}} className="min-w-0 truncate font-medium text-accent-ink hover:underline">{one.prompt_name}</Link>
          <span className="text-[13px] text-dim">{one.version_numbers.length === 1 ? 'version' : 'versions'} {one.version_numbers.join(', ')}</span>
          {data.label_usage.filter((label) => label.prompt_registry_id === one.prompt_registry_id).map((label) => <Badge key={label.label_name} tone={labelTone(label.label_name)}>{label.label_name}</Badge>)}
        </li>
      ))}
    </ul>
  )
}

/** Warns before saving a snippet which prompts will change. */
export function SnippetWarning({ prompt }: { prompt: Prompt }) {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery(snippetUsageQuery(workspace, String(prompt.id)))
  const count = data?.total_prompts_using_snippet ?? 0
  if (count === 0) return null
  return (
    <p className="rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">
      {count === 1 ? '1 prompt uses this snippet' : `${count} prompts use this snippet`}: {data?.snippet_usage.slice(0, 5).map((one) => one.prompt_name).join(', ')}{count > 5 ? ' and more' : ''}. Unless they pin a version or label, they get the new text immediately.
    </p>
  )
}
