import { Link } from '@tanstack/react-router'
import { FlaskConical, Plus } from 'lucide-react'
import { useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState } from '@/ui/page'

/** Shown while the workspace has no evaluations: what they are, and how to create one. */
export function FirstEvaluation({ onCreate }: { onCreate?: () => void }) {
  const { workspace_id } = useSession()
  const example = `curl ${window.location.origin}/reports \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" -d '{
  "dataset_group_id": 1, "name": "answers", "columns": [
    {"name": "has a price", "column_type": "CONTAINS", "is_part_of_score": true,
     "configuration": {"source": "response", "value": "$"}}]}'`
  return (
    <EmptyState title="No evaluations yet" icon={<FlaskConical />} action={onCreate && <Button look="primary" onClick={onCreate}><Plus /> New evaluation</Button>}>
      <p>An evaluation runs prompts, checks and code on every row of a dataset and computes a score. Use it to compare versions of a prompt objectively.</p>
      <p className="mt-3">
        You need a <Link to="/$workspace/datasets" params={{ workspace: String(workspace_id) }} search={{}} className="text-accent-ink underline">dataset</Link> with a version. Create an evaluation here, or with the API:
      </p>
      <Snippet code={example} className="mt-4 text-left" />
    </EmptyState>
  )
}
