import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '@/api/session'
import { useLeaveGuard } from '@/registry/leave-guard'
import { promptQuery, versionsQuery, type Prompt, type Version } from '@/template/data'
import { LoadError, Loading, Page } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { ABTestsTab } from './ab-tests/ab-tests-tab'
import { CompareTab } from './compare/compare-tab'
import { readSearch, type Search } from './search'
import { useDraft } from './template/draft'
import { EditorTab } from './template/editor-tab'
import { BackToList, TemplateActions, TemplateTitle } from './template/header'
import { UsageTab } from './usage/usage-tab'
import { VersionsTab } from './versions/versions-tab'

const from = '/$workspace/prompts/$prompt'

/** One template: its editor, versions, comparison, usage and A/B tests. */
export default function TemplatePage() {
  const { workspace_id: workspace } = useSession()
  const { prompt } = useParams({ from })
  const search = useSearch({ from })
  // Other tabs have their own use for the version in the URL; the editor keeps its own.
  const [edited, setEdited] = useState(search.version)
  const inEditor = (search.tab ?? 'editor') === 'editor'
  if (inEditor && edited !== search.version) setEdited(search.version)
  const asked = inEditor ? search.version : edited
  const loaded = useQuery(promptQuery(workspace, prompt, asked))
  const versions = useInfiniteQuery(versionsQuery(workspace, prompt))
  if (loaded.data === undefined || versions.data === undefined) {
    // Keep the edits when only a reload has failed.
    const error = versions.error ?? loaded.error
    const latest = <Link from={from} to="." search={{}} className="text-accent-ink underline">Open latest version</Link>
    return (
      <Page title="Prompt" lead={<BackToList />}>
        {error === null ? <Loading /> : versions.data === undefined ? <LoadError what="prompt" error={error} retry={() => void Promise.all([loaded.refetch(), versions.refetch()])} /> : <LoadError what="version" error={error} retry={() => void loaded.refetch()} action={latest} />}
      </Page>
    )
  }
  return <Template key={prompt} prompt={loaded.data} asked={asked} search={search} versions={versions.data.pages.flatMap((page) => page.items)} total={versions.data.pages[0]?.total ?? 0} loadMore={versions.hasNextPage ? () => void versions.fetchNextPage() : undefined} />
}

function Template({ prompt, asked, search, versions, total, loadMore }: {
  prompt: Prompt
  asked: number | undefined
  search: Search
  versions: Version[]
  total: number
  loadMore?: () => void
}) {
  const navigate = useNavigate({ from })
  const draft = useDraft(prompt)
  useLeaveGuard({
    dirty: draft.dirty,
    body: `Your changes to ${draft.base.prompt_name} since version ${draft.base.version} are not saved and will be lost.`,
    keeps: (next) => {
      const { tab = 'editor', version } = readSearch(next)
      return tab !== 'editor' || version === asked
    },
    discard: () => draft.begin(draft.base),
  })
  const id = String(prompt.id)
  const tab = search.tab ?? 'editor'
  const choose = (next: NonNullable<Search['tab']>) => {
    // Each tab interprets the version in the URL differently, so it starts without one.
    void navigate({ search: next === 'editor' ? (asked === undefined ? {} : { version: asked }) : { tab: next } })
  }
  return (
    <Page fill title={prompt.prompt_name} lead={<BackToList />} actions={<TemplateActions prompt={prompt} draft={draft} versions={versions} />}>
      <TemplateTitle prompt={prompt} />
      <Tabs
        label={`Sections of ${prompt.prompt_name}`}
        value={tab}
        onChange={choose}
        className="flex-1"
        tabs={[
          { value: 'editor', label: <>Editor{draft.dirty && <span title="Unsaved changes" className="ml-1.5 inline-block size-1.5 rounded-full bg-warn align-middle"><span className="sr-only">, unsaved changes</span></span>}</> },
          { value: 'versions', label: <>Versions <span className="text-faint">{total}</span></> },
          { value: 'compare', label: 'Compare' },
          { value: 'usage', label: 'Usage' },
          { value: 'ab-tests', label: 'A/B tests' },
        ]}
      >
        <TabPanel value="editor" className="overflow-auto">{tab === 'editor' && <EditorTab draft={draft} versions={versions} />}</TabPanel>
        <TabPanel value="versions" className="overflow-auto">{tab === 'versions' && <VersionsTab prompt={prompt} versions={versions} loadMore={loadMore} />}</TabPanel>
        <TabPanel value="compare" className="overflow-auto">{tab === 'compare' && <CompareTab prompt={id} versions={versions} search={search} />}</TabPanel>
        <TabPanel value="usage" className="overflow-auto">{tab === 'usage' && <UsageTab prompt={prompt} search={search} />}</TabPanel>
        <TabPanel value="ab-tests" className="overflow-auto">{tab === 'ab-tests' && <ABTestsTab prompt={prompt} versions={versions} />}</TabPanel>
      </Tabs>
    </Page>
  )
}
