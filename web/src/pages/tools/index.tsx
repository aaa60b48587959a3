import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { SearchInput } from '@/ui/search-input'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { toolsQuery, type ToolItem } from './data'
import { CreateDialog } from './list/create-dialog'

/** The tools of the workspace. */
export default function ToolsPage() {
  const { workspace_id } = useSession()
  const mayCreate = useMay('TOOL_CREATE')
  const tools = useQuery(toolsQuery(workspace_id))
  const [creating, setCreating] = useState(false)
  const create = (
    <Button look="primary" disabled={!mayCreate} title={mayCreate ? undefined : 'Your role does not allow you to create tools'} onClick={() => setCreating(true)}>
      <Plus /> New tool
    </Button>
  )
  return (
    <Page title="Tools" actions={create}>
      {tools.isError ? (
        <ErrorState error={tools.error} retry={() => void tools.refetch()} />
      ) : tools.data === undefined ? (
        <Loading />
      ) : tools.data.length === 0 ? (
        <Teach action={create} />
      ) : (
        <ToolTable tools={tools.data} />
      )}
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

function ToolTable({ tools }: { tools: ToolItem[] }) {
  const workspace = String(useSession().workspace_id)
  const { q = '' } = useSearch({ from: '/$workspace/tools' })
  const navigate = useNavigate({ from: '/$workspace/tools' })
  const words = q.toLowerCase().split(/\s+/)
  const found = tools.filter((tool) => words.every((word) => searchText(tool).includes(word)))
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2 md:px-5">
        <SearchInput className="max-w-80" label="Search tools" placeholder="Search by name or description" value={q} onSearch={(text) => void navigate({ search: { q: text || undefined }, replace: true })} />
        <span className="tabular ml-auto text-[13px] whitespace-nowrap text-faint">{found.length === tools.length ? tools.length : `${found.length} of ${tools.length}`}</span>
      </div>
      {found.length === 0 ? (
        <EmptyState title="No matching tools" action={<Button onClick={() => void navigate({ search: {} })}>Show all</Button>} />
      ) : (
        <SimpleTable
          label="Tools"
          rows={found}
          rowKey={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/$workspace/tools/$tool', params: { workspace, tool: String(id) }, search: {} })}
          columns={[
            {
              header: 'Name',
              cell: ({ id, name }) => <Link to="/$workspace/tools/$tool" params={{ workspace, tool: String(id) }} search={{}} className="font-medium text-accent-ink hover:underline">{name}</Link>,
            },
            { header: 'Description', className: 'w-1/2 text-dim', cell: ({ description }) => description },
            { header: 'External IDs', className: 'hidden lg:table-cell', cell: ({ external_ids }) => <span className="font-mono text-xs text-dim">{external_ids.map(({ source, external_id }) => `${source}:${external_id}`).join(', ')}</span> },
            { header: 'Updated', className: 'text-dim', cell: ({ updated_at }) => <Ago at={updated_at} /> },
            {
              header: <span className="sr-only">Test</span>,
              className: 'hidden text-right md:table-cell',
              cell: ({ id }) => <Link to="/$workspace/tools/$tool" params={{ workspace, tool: String(id) }} search={{ tab: 'test' }} className="text-[13px] text-dim hover:underline">Test</Link>,
            },
          ]}
        />
      )}
    </>
  )
}

function searchText({ name, description, external_ids }: ToolItem): string {
  return [name, description ?? '', ...external_ids.map(({ source, external_id }) => `${source}:${external_id}`)].join(' ').toLowerCase()
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
