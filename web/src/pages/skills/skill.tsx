import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session'
import { useLeaveGuard } from '@/registry/leave-guard'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { BackLink, LoadError, Loading, Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { VersionSelect } from '@/ui/versions'
import { pulledQuery, versionsQuery, type Pulled } from './data'
import { summarize } from './files/draft'
import { providerName } from './files/layout'
import { CompareTab } from './page/compare-tab'
import { DraftBar } from './page/draft-bar'
import { FilesTab } from './page/files-tab'
import { SaveDialog } from './page/save-dialog'
import { SkillMenu } from './page/skill-menu'
import { useDraft, type Draft } from './page/use-draft'
import { VersionsTab } from './page/versions-tab'
import { tabOf, type Search } from './search'

/** One skill collection: its files, versions and comparison. */
export default function SkillPage() {
  const { skill } = useParams({ from: '/$workspace/skills/$skill' })
  const { workspace_id } = useSession()
  const latest = useQuery(pulledQuery(workspace_id, skill))
  const lead = <BackLink to="/$workspace/skills">Skills</BackLink>
  if (latest.isError && latest.data === undefined) return <Page title="Skill" lead={lead}><LoadError what="skill" error={latest.error} retry={() => void latest.refetch()} /></Page>
  if (latest.data === undefined) return <Page title="Skill" lead={lead}><Loading /></Page>
  return <Loaded key={skill} latest={latest.data} lead={lead} />
}

function Loaded({ latest, lead }: { latest: Pulled; lead: React.ReactNode }) {
  const { skill } = latest
  const search = useSearch({ from: '/$workspace/skills/$skill' })
  const navigate = useNavigate({ from: '/$workspace/skills/$skill' })
  const mayEdit = useMay('SKILL_EDIT')
  const draft = useDraft(latest)
  const [saving, setSaving] = useState(false)
  // The draft survives switching tabs and versions.
  useLeaveGuard({
    dirty: draft.dirty,
    body: `${skill.name} has unsaved changes: ${summarize(draft.states).toLowerCase()}. They will be lost.`,
    action: 'Leave',
    keeps: () => true,
  })
  const number = latest.version?.number ?? 0
  const older = search.version !== undefined && search.version !== number ? search.version : undefined
  const show = (tab: NonNullable<Search['tab']>) => void navigate({ search: (old) => ({ tab: tab === 'files' ? undefined : tab, version: tab === 'files' && draft.dirty ? undefined : old.version, file: old.file }) })
  return (
    <Page
      title={skill.name}
      lead={lead}
      fill
      actions={
        <>
          {skill.provider !== null && <Badge title="Provider whose file layout is used">{providerName(skill.provider)}</Badge>}
          <SkillMenu skill={skill} version={older} onRelease={mayEdit && number > 0 && !draft.dirty ? () => setSaving(true) : null} />
        </>
      }
    >
      <Tabs
        className="flex-1 [&>[role=tablist]]:bg-surface [&>[role=tablist]]:px-3"
        label="Collection sections"
        value={tabOf(search)}
        onChange={show}
        tabs={[{ value: 'files', label: draft.dirty ? 'Files •' : 'Files' }, { value: 'versions', label: 'Versions' }, { value: 'compare', label: 'Compare' }]}
      >
        <TabPanel value="files" className="flex flex-col">
          {number > 0 && <VersionBar latest={latest} older={older} draft={draft} mayEdit={mayEdit} />}
          {draft.dirty && older === undefined && <DraftBar draft={draft} onSave={() => setSaving(true)} />}
          {older === undefined ? <FilesTab files={draft.contents} draft={mayEdit ? draft : null} /> : <OlderFiles skill={skill.id} version={older} />}
        </TabPanel>
        <TabPanel value="versions" className="overflow-auto"><VersionsTab skill={skill} /></TabPanel>
        <TabPanel value="compare"><CompareTab skill={skill.id} latest={number} /></TabPanel>
      </Tabs>
      {saving && (
        <SaveDialog
          skill={skill}
          draft={draft}
          latest={number}
          onClose={() => setSaving(false)}
          onSaved={() => {
            draft.discard()
            setSaving(false)
            void navigate({ search: ({ file }) => ({ file }), ignoreBlocker: true })
          }}
        />
      )}
    </Page>
  )
}

/** Selects the version, with actions for an old one. */
function VersionBar({ latest, older, draft, mayEdit }: { latest: Pulled; older: number | undefined; draft: Draft; mayEdit: boolean }) {
  const { workspace_id } = useSession()
  const navigate = useNavigate({ from: '/$workspace/skills/$skill' })
  const confirm = useConfirm()
  const number = latest.version?.number ?? 0
  const versions = useQuery(versionsQuery(workspace_id, latest.skill.id)).data?.items ?? []
  const pulled = useQuery({ ...pulledQuery(workspace_id, latest.skill.id, older), enabled: older !== undefined })
  const version = versions.find((one) => one.number === (older ?? number))
  const bringBack = async () => {
    if (pulled.data === undefined || older === undefined) return
    if (draft.dirty && !(await confirm({ title: 'Replace draft?', body: `The draft will be replaced with the files of version ${older}. Your unsaved changes will be lost.`, action: 'Replace', danger: true }))) return
    draft.replace(pulled.data.files)
    void navigate({ search: ({ file }) => ({ file }) })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-surface px-4 py-1.5 text-[13px]">
      <VersionSelect label="Version" versions={versions} value={older ?? number} onChange={(next) => void navigate({ search: (old) => ({ ...old, version: next === number ? undefined : next }) })} />
      <span className="min-w-0 flex-1 truncate text-dim">{version?.commit_message}</span>
      {older !== undefined && (
        <span className="flex flex-wrap items-center gap-2">
          <Link from="/$workspace/skills/$skill" to="." search={{ tab: 'compare', compare: older, version: number }} className="text-accent-ink hover:underline">Compare with latest</Link>
          {mayEdit && <Button small disabled={pulled.data === undefined} onClick={() => void bringBack()}>Restore these files</Button>}
        </span>
      )}
    </div>
  )
}

function OlderFiles({ skill, version }: { skill: string; version: number }) {
  const { workspace_id } = useSession()
  const pulled = useQuery(pulledQuery(workspace_id, skill, version))
  const newest = <Link from="/$workspace/skills/$skill" to="." search={{}} className="text-accent-ink underline">Open latest version</Link>
  if (pulled.isError) return <LoadError what="version" error={pulled.error} retry={() => void pulled.refetch()} action={newest} />
  return pulled.data === undefined ? <Loading /> : <FilesTab files={pulled.data.files} draft={null} />
}
