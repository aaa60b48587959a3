import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { Input } from '@/ui/field'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { ReleaseLabels } from '@/ui/versions'
import { CreateDialog } from './create-dialog'
import { workflowsQuery, type WorkflowItem } from './data'

const pageSize = 100

/** The workflows of the workspace. */
export default function WorkflowsPage() {
  const [creating, setCreating] = useState(false)
  const mayCreate = useMay('WORKFLOW_CREATE')
  const workspace = useSession().workspace_id
  const workflows = useQuery(workflowsQuery(workspace))
  const create = (
    <Button look="primary" disabled={!mayCreate} title={mayCreate ? undefined : 'Your role does not allow you to create workflows'} onClick={() => setCreating(true)}>
      <Plus /> New workflow
    </Button>
  )
  return (
    <Page title="Workflows" actions={create}>
      {workflows.isError ? (
        <ErrorState error={workflows.error} retry={() => void workflows.refetch()} />
      ) : workflows.data === undefined ? (
        <Loading />
      ) : workflows.data.length === 0 ? (
        <Teach action={create} />
      ) : (
        <WorkflowTable workflows={workflows.data} />
      )}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function WorkflowTable({ workflows }: { workflows: WorkflowItem[] }) {
  const workspace = String(useSession().workspace_id)
  const { q = '', page = 1 } = useSearch({ from: '/$workspace/workflows' })
  const navigate = useNavigate({ from: '/$workspace/workflows' })
  const words = q.trim().toLowerCase().split(/\s+/)
  const found = workflows.filter((workflow) => words.every((word) => searchText(workflow).includes(word)))
  const pages = Math.ceil(found.length / pageSize)
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2 md:px-5">
        <Input
          type="search"
          aria-label="Search workflows"
          placeholder="Search by name, label or external ID"
          className="max-w-80"
          value={q}
          onChange={(event) => void navigate({ search: { q: event.target.value || undefined }, replace: true })}
        />
        <span className="tabular ml-auto text-[13px] whitespace-nowrap text-faint">{found.length === workflows.length ? workflows.length : `${found.length} of ${workflows.length}`}</span>
      </div>
      {found.length === 0 ? (
        <EmptyState title="No matching workflows" action={<Button onClick={() => void navigate({ search: {} })}>Show all</Button>} />
      ) : (
        <SimpleTable
          label="Workflows"
          rows={found.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={(workflow) => workflow.id}
          onOpen={(workflow) => void navigate({ to: '/$workspace/workflows/$workflow', params: { workspace, workflow: String(workflow.id) }, search: {} })}
          columns={[
            {
              header: 'Name',
              className: 'w-2/5',
              cell: (workflow) => (
                <Link to="/$workspace/workflows/$workflow" params={{ workspace, workflow: String(workflow.id) }} search={{}} className="font-medium text-accent-ink hover:underline">
                  {workflow.name}
                </Link>
              ),
            },
            { header: 'Latest version', className: 'tabular', cell: ({ latest_version_number }) => latest_version_number ?? 'none' },
            { header: 'Labels', className: 'w-1/3', cell: ({ release_labels }) => <ReleaseLabels names={release_labels} /> },
            { header: 'External IDs', className: 'hidden md:table-cell', cell: ({ external_ids }) => <span className="font-mono text-xs text-dim">{external_ids.map(({ source, external_id }) => `${source}:${external_id}`).join(', ')}</span> },
            {
              header: <span className="sr-only">Runs</span>,
              className: 'relative hidden text-right md:table-cell',
              cell: (workflow) => (
                <Link to="/$workspace/workflows/$workflow" params={{ workspace, workflow: String(workflow.id) }} search={{ tab: 'runs' }} className="text-[13px] text-dim hover:underline">
                  Runs
                </Link>
              ),
            },
          ]}
        />
      )}
      <Pager page={page} pages={pages} total={found.length} noun="workflows" onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })} />
    </>
  )
}

function searchText({ name, release_labels, external_ids }: WorkflowItem): string {
  return [name, ...release_labels, ...external_ids.map(({ source, external_id }) => `${source}:${external_id}`)].join(' ').toLowerCase()
}

function Teach({ action }: { action: React.ReactNode }) {
  const command = `curl -X POST ${window.location.origin}/rest/workflows \\
  -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "word count", "required_input_variables": {"text": "string"},
       "nodes": [{"name": "words", "node_type": "COUNT",
                  "configuration": {"source": "text", "type": "words"},
                  "dependencies": ["text"], "is_output_node": true}]}'`
  return (
    <EmptyState icon={<Waypoints />} title="No workflows yet" action={action}>
      <p>A workflow is a graph of nodes: prompts, checks, code and HTTP requests. It has versions and release labels, and applications run it by name.</p>
      <Snippet className="mt-4 text-left" code={command} />
    </EmptyState>
  )
}
