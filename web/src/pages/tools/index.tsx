import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { idColumn, idTexts } from '@/registry/external-ids'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { List } from '@/ui/list'
import { EmptyState, Page } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { toolsQuery, type ToolItem } from './data'
import { CreateDialog } from './list/create-dialog'

/** The tools of the workspace. */
export default function ToolsPage() {
  const { workspace_id } = useSession()
  const mayCreate = useMay('TOOL_CREATE')
  const tools = useQuery(toolsQuery(workspace_id))
  const search = useSearch({ from: '/$workspace/tools' })
  const navigate = useNavigate({ from: '/$workspace/tools' })
  const [creating, setCreating] = useState(false)
  const create = (
    <Button look="primary" disabled={!mayCreate} title={mayCreate ? undefined : 'Your role does not allow you to create tools'} onClick={() => setCreating(true)}>
      <Plus /> New tool
    </Button>
  )
  return (
    <Page title="Tools" actions={create}>
      <List
        noun="tools"
        placeholder="Search by name or description"
        answer={tools}
        search={search}
        onSearch={(change, replace) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })}
        textOf={({ name, description, external_ids }) => [name, description, ...idTexts(external_ids)]}
        empty={<Teach action={create} />}
      >
        {(rows) => <ToolTable rows={rows} />}
      </List>
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ToolTable({ rows }: { rows: ToolItem[] }) {
  const workspace = String(useSession().workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Tools"
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/$workspace/tools/$tool', params: { workspace, tool: String(id) }, search: {} })}
      columns={[
        {
          header: 'Name',
          cell: ({ id, name }) => <Link to="/$workspace/tools/$tool" params={{ workspace, tool: String(id) }} search={{}} className="font-medium text-accent-ink hover:underline">{name}</Link>,
        },
        { header: 'Description', className: 'w-1/2 text-dim', cell: ({ description }) => description },
        idColumn('hidden lg:table-cell'),
        { header: 'Updated', className: 'text-dim', cell: ({ updated_at }) => <Ago at={updated_at} /> },
        {
          header: <span className="sr-only">Test</span>,
          className: 'hidden text-right md:table-cell',
          cell: ({ id }) => <Link to="/$workspace/tools/$tool" params={{ workspace, tool: String(id) }} search={{ tab: 'test' }} className="text-[13px] text-dim hover:underline">Test</Link>,
        },
      ]}
    />
  )
}

function Teach({ action }: { action: React.ReactNode }) {
  const command = `curl ${window.location.origin}/api/public/v2/tool-registry \\
  -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "parcel status",
       "tool_definition": {"type": "function", "function": {
         "name": "parcel_status", "description": "Returns where a parcel is.",
         "parameters": {"type": "object",
                        "properties": {"number": {"type": "string"}}}}}}'`
  return (
    <EmptyState icon={<Wrench />} title="No tools yet" action={action}>
      <p>A tool is a function that models can call. Its definition has versions and release labels, and prompts refer to it. If you add code, the registry can also run it.</p>
      <Snippet className="mt-4 text-left" code={command} />
    </EmptyState>
  )
}
