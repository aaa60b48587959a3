import { Link } from '@tanstack/react-router'
import { Database, Plus } from 'lucide-react'
import { useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState } from '@/ui/page'
import { FileButton } from '../import/import-dialog'

/** Shown while the workspace has no datasets: what they are, and how to create one. */
export function FirstDataset({ onCreate, onFile }: { onCreate?: () => void; onFile?: (file: File) => void }) {
  const { workspace_id } = useSession()
  const example = `curl ${window.location.origin}/api/public/v2/dataset-groups \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" \\
  -d '{"name": "tickets"}'

# use the id of the dataset_group in the response
curl ${window.location.origin}/api/public/v2/dataset-versions/from-file \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" \\
  -d '{"dataset_group_id": 1, "file_name": "tickets.csv",
       "file_content_base64": "'$(base64 < tickets.csv | tr -d '\\n')'"}'`
  return (
    <EmptyState
      title="No datasets yet"
      icon={<Database />}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {onFile && <FileButton look="primary" onFile={onFile} />}
          {onCreate && <Button onClick={onCreate}><Plus /> New dataset</Button>}
        </div>
      }
    >
      <p>A dataset is a table of examples, such as questions with expected answers. Evaluations run on its versions, which never change.</p>
      <p className="mt-3">
        Drop a CSV or JSON file anywhere on this page, add <Link to="/$workspace/requests" params={{ workspace: String(workspace_id) }} search={{}} className="text-accent-ink underline">logged requests</Link>, add rows by hand, or upload a file with the API:
      </p>
      <Snippet code={example} className="mt-4 text-left" />
    </EmptyState>
  )
}
