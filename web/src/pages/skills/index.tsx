import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { SearchInput } from '@/ui/search-input'
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
  const [begun, setBegun] = useState<Chosen[] | null>(null)
  const create = (
    <Button look="primary" disabled={!mayCreate} title={mayCreate ? undefined : 'Your role does not allow you to create skills'} onClick={() => setBegun([])}>
      <Plus /> New collection
    </Button>
  )
  return (
    <Page title="Skills" actions={create}>
      {skills.isError ? (
        <ErrorState error={skills.error} retry={() => void skills.refetch()} />
      ) : skills.data === undefined ? (
        <Loading />
      ) : skills.data.length === 0 ? (
        <Teach action={create} />
      ) : (
        <SkillTable skills={skills.data} />
      )}
      {mayCreate && begun === null && <DropArea words="Drop files, a folder or a zip archive to create a collection" onFiles={setBegun} />}
      {begun !== null && <CreateDialog begun={begun} onClose={() => setBegun(null)} />}
    </Page>
  )
}

function SkillTable({ skills }: { skills: Skill[] }) {
  const workspace = String(useSession().workspace_id)
  const { q = '' } = useSearch({ from: '/$workspace/skills' })
  const navigate = useNavigate({ from: '/$workspace/skills' })
  const words = q.toLowerCase().split(/\s+/)
  const found = skills.filter((skill) => words.every((word) => searchText(skill).includes(word)))
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4 py-2 md:px-5">
        <SearchInput className="max-w-80" label="Search skills" placeholder="Search by name or external ID" value={q} onSearch={(text) => void navigate({ search: { q: text || undefined }, replace: true })} />
        <span className="tabular ml-auto text-[13px] whitespace-nowrap text-faint">{found.length === skills.length ? skills.length : `${found.length} of ${skills.length}`}</span>
      </div>
      {found.length === 0 ? (
        <EmptyState title="No matching collections" action={<Button onClick={() => void navigate({ search: {} })}>Show all</Button>} />
      ) : (
        <SimpleTable
          label="Skill collections"
          rows={found}
          rowKey={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/$workspace/skills/$skill', params: { workspace, skill: id }, search: {} })}
          columns={[
            {
              header: 'Name',
              className: 'w-2/5',
              cell: ({ id, name }) => <Link to="/$workspace/skills/$skill" params={{ workspace, skill: id }} search={{}} className="font-medium text-accent-ink hover:underline">{name}</Link>,
            },
            { header: 'Provider', cell: ({ provider }) => (provider === null ? <span className="text-faint">any</span> : <Badge>{providerName(provider)}</Badge>) },
            { header: 'External IDs', className: 'hidden md:table-cell', cell: ({ external_ids }) => <span className="font-mono text-xs text-dim">{external_ids.map(({ source, external_id }) => `${source}:${external_id}`).join(', ')}</span> },
            { header: 'Updated', className: 'text-dim', cell: ({ updated_at }) => <Ago at={updated_at} /> },
            { header: 'Created', className: 'hidden text-dim md:table-cell', cell: ({ created_at }) => <Ago at={created_at} /> },
          ]}
        />
      )}
    </>
  )
}

function searchText({ name, provider, external_ids }: Skill): string {
  return [name, providerName(provider), ...external_ids.map(({ source, external_id }) => `${source}:${external_id}`)].join(' ').toLowerCase()
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
