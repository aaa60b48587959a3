import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Dialog } from '@/ui/dialog'
import { ErrorState, Loading } from '@/ui/page'
import { snippetUsageQuery, type Prompt } from '../data'
import { labelTone } from '../labels'

/** The prompts whose texts mention a snippet. */
export function SnippetUsageDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { workspace_id: workspace } = useSession()
  const { data, error } = useQuery(snippetUsageQuery(workspace, String(prompt.id)))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Where ${prompt.prompt_name} is used`}>
      {error && <ErrorState error={error} />}
      {!error && data === undefined && <Loading />}
      {data?.snippet_usage.length === 0 && <p className="py-2 text-dim">No prompt uses it yet. Write <code className="font-mono text-xs">@@@{prompt.prompt_name}@@@</code> in a text to put it there.</p>}
      <ul className="flex flex-col">
        {data?.snippet_usage.map((one) => (
          <li key={one.prompt_registry_id} className="flex flex-wrap items-center gap-2 border-b border-line py-2 last:border-0">
            <Link to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(one.prompt_registry_id) }} search={{}} className="font-medium text-accent-ink hover:underline">{one.prompt_name}</Link>
            <span className="text-[13px] text-dim">{one.version_numbers.length === 1 ? 'version' : 'versions'} {one.version_numbers.join(', ')}</span>
            {data.label_usage.filter((label) => label.prompt_registry_id === one.prompt_registry_id).map((label) => <Badge key={label.label_name} tone={labelTone(label.label_name)}>{label.label_name}</Badge>)}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
