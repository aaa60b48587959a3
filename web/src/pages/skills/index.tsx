import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { idColumn, idTexts } from '@/registry/external-ids'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { List } from '@/ui/list'
import { EmptyState, Page } from '@/ui/page'
import { SimpleTable } from '@/ui/table'
import { Ago } from '@/ui/time'
import { skillsQuery, type Skill } from './data'
import { DropArea } from './files/drop-area'
import type { Chosen } from './files/chosen'
import { providerName } from './files/layout'
import { CreateDialog } from './list/create-dialog'

/** The skill collections of the workspace. */
export default function SkillsPage() {
  const { workspace_id } = useSession()
  const mayCreate = useMay('SKILL_CREATE')
  const skills = useQuery(skillsQuery(workspace_id))
  const search = useSearch({ from: '/$workspace/skills' })
  const navigate = useNavigate({ from: '/$workspace/skills' })
  const [begun, setBegun] = useState<Chosen[] | null>(null)
  const create = (
    <Button look="primary" disabled={!mayCreate} title={mayCreate ? undefined : 'Your role does not allow you to create skills'} onClick={() => setBegun([])}>
      <Plus /> New collection
    </Button>
  )
  return (
    <Page title="Skills" actions={create}>
      <List
        noun="skills"
        rowNoun="collections"
        placeholder="Search by name or external ID"
        answer={skills}
        search={search}
        onSearch={(change, replace) => void navigate({ search: (old) => ({ ...old, page: undefined, ...change }), replace })}
        textOf={({ name, provider, external_ids }) => [name, providerName(provider), ...idTexts(external_ids)]}
        empty={<Teach action={create} />}
      >
        {(rows) => <SkillTable rows={rows} />}
      </List>
      {mayCreate && begun === null && <DropArea words="Drop files, a folder or a zip archive to create a collection" onFiles={setBegun} />}
      {begun !== null && <CreateDialog begun={begun} onClose={() => setBegun(null)} />}
    </Page>
  )
}

function SkillTable({ rows }: { rows: Skill[] }) {
  const workspace = String(useSession().workspace_id)
  const navigate = useNavigate()
  return (
    <SimpleTable
      label="Skill collections"
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/$workspace/skills/$skill', params: { workspace, skill: id }, search: {} })}
      columns={[
        {
          header: 'Name',
          className: 'w-2/5',
          cell: ({ id, name }) => <Link to="/$workspace/skills/$skill" params={{ workspace, skill: id }} search={{}} className="font-medium text-accent-ink hover:underline">{name}</Link>,
        },
        { header: 'Provider', cell: ({ provider }) => (provider === null ? <span className="text-faint">any</span> : <Badge>{providerName(provider)}</Badge>) },
        idColumn('hidden md:table-cell'),
        { header: 'Updated', className: 'text-dim', cell: ({ updated_at }) => <Ago at={updated_at} /> },
        { header: 'Created', className: 'hidden text-dim md:table-cell', cell: ({ created_at }) => <Ago at={created_at} /> },
      ]}
    />
  )
}

function Teach({ action }: { action: React.ReactNode }) {
  const command = `curl ${window.location.origin}/api/public/v2/skill-collections \\
  -H "X-API-KEY: $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "support", "commit_message": "first",
       "files": [{"path": "triage/SKILL.md",
                  "content": "# Triage\\nSort by urgency."}]}'`
  return (
    <EmptyState icon={<Sparkles />} title="No skills yet" action={action}>
      <p>A skill collection is a folder of files for agents: instructions, scripts and examples. It has versions and release labels, and agents pull it by name.</p>
      <p className="mt-2">Drop a folder or a zip archive on this page, or create a collection with the API:</p>
      <Snippet className="mt-4 text-left" code={command} />
    </EmptyState>
  )
}
