import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { idColumn, idTexts } from '@/registry/external-ids'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { List } from '@/ui/list'
import { EmptyState, Page } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { ReleaseLabels } from '@/ui/versions'
import { CreateDialog } from './create-dialog'
import { workflowsQuery, type WorkflowItem } from './data'

/** The workflows of the workspace. */
export default function WorkflowsPage() {
  const search = useSearch({ from: '/$workspace/workflows' })
  const navigate = useNavigate({ from: '/$workspace/workflows' })
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
      <List
        noun="workflows"
        placeholder="Search by name, label or external ID"
        answer={workflows}
        search={search}
        onSearch={(change, replace) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })}
        textOf={({ name, release_labels, external_ids }) => [name, ...release_labels, ...idTexts(external_ids)]}
        perPage={100}
        empty={<Teach action={create} />}
      >
        {(rows) => <WorkflowTable rows={rows} />}
      </List>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function WorkflowTable({ rows }: { rows: WorkflowItem[] }) {
  const workspace = String(useSession().workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Workflows"
      rows={rows}
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
        idColumn('hidden md:table-cell'),
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
  )
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
