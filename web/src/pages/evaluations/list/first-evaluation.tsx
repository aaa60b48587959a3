import { Link } from '@tanstack/react-router'
import { FlaskConical, Plus } from 'lucide-react'
import { useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState } from '@/ui/page'

/** Shown while the workspace has no evaluation: what one is, and how the first gets here. */
export function FirstEvaluation({ onCreate }: { onCreate?: () => void }) {
  const { workspace_id } = useSession()
  const example = `curl ${window.location.origin}/reports \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" -d '{
  "dataset_group_id": 1, "name": "answers", "columns": [
    {"name": "has a price", "column_type": "CONTAINS", "is_part_of_score": true,
     "configuration": {"source": "response", "value": "$"}}]}'`
  return (
    <EmptyState title="No evaluations yet" icon={<FlaskConical />} action={onCreate && <Button look="primary" onClick={onCreate}><Plus /> New evaluation</Button>}>
      <p>An evaluation adds columns to a dataset: a prompt that answers each row, checks of its answer, code. A run fills in all cells and has a score, so that two versions of a prompt can be compared by more than a feeling.</p>
      <p className="mt-3">
        It needs a <Link to="/$workspace/datasets" params={{ workspace: String(workspace_id) }} search={{}} className="text-accent-ink underline">dataset</Link> with a version. Make one here, or send it:
      </p>
      <Snippet code={example} className="mt-4 text-left" />
    </EmptyState>
  )
}
