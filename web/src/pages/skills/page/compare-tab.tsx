import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { bytes } from '@/lib/format'
import { Compare, comparedIn } from '@/registry/compare'
import { CodeDiff } from '@/ui/code'
import { languageOf } from '@/ui/file-language'
import { EmptyState } from '@/ui/page'
import { pulledQuery, versionsQuery } from '../data'
import { isBytes, sizeOf } from '../files/content'
import { compareFiles, summarize, type Files } from '../files/draft'
import { FileMark } from './file-state'
import { FileTree } from './file-tree'

/** The differences between two versions: the files, and the selected one side by side. */
export function CompareTab({ skill, latest }: { skill: string; latest: number }) {
  const workspace = useSession().workspace_id
  const compared = comparedIn(useSearch({ from: '/$workspace/skills/$skill' }), latest)
  const navigate = useNavigate({ from: '/$workspace/skills/$skill' })
  return (
    <Compare
      {...compared}
      versions={useQuery(versionsQuery(workspace, skill)).data?.items ?? []}
      count={latest}
      left={useQuery({ ...pulledQuery(workspace, skill, compared.before), enabled: latest > 1 })}
      right={useQuery({ ...pulledQuery(workspace, skill, compared.after), enabled: latest > 1 })}
      onChange={(compare, version) => void navigate({ search: (old) => ({ ...old, tab: 'compare', compare, version }) })}
      summary={(before, after) => summarize(compareFiles(before.files, after.files))}
      className="h-full min-h-0"
      barClass="border-b border-line px-4 py-2"
    >
      {(before, after) => <Changes before={before.files} after={after.files} />}
    </Compare>
  )
}

function Changes({ before, after }: { before: Files; after: Files }) {
  const { file } = useSearch({ from: '/$workspace/skills/$skill' })
  const states = compareFiles(before, after)
  const paths = Object.keys(states)
  const open = file !== undefined && (states[file] || after[file] !== undefined || before[file] !== undefined) ? file : paths[0]
  if (open === undefined) return <EmptyState title="No differences">Both versions have the same files.</EmptyState>
  const state = states[open]
  return (
    <div className="flex min-h-0 flex-1 flex-col md:flex-row">
      <nav aria-label="Changed files" className="max-h-48 shrink-0 overflow-auto border-b border-line p-2 md:max-h-none md:w-64 md:border-r md:border-b-0">
        <FileTree paths={paths} open={open} states={states} />
      </nav>
      <section aria-label={open} className="flex min-h-0 min-w-0 flex-1 flex-col">
        <header className="flex min-h-10 items-center gap-2 border-b border-line px-4">
          <h2 className="min-w-0 truncate font-mono text-[13px]">{open}</h2>
          {state ? <FileMark state={state} /> : <span className="text-[13px] text-faint">unchanged</span>}
          <Link from="/$workspace/skills/$skill" to="." search={({ version }) => ({ version, file: open })} className="ml-auto text-[13px] whitespace-nowrap text-accent-ink hover:underline">Open file</Link>
        </header>
        <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="group" aria-label={`Differences in ${open}`}>
          <FileChange path={open} before={before[open]} after={after[open]} />
        </div>
      </section>
    </div>
  )
}

function FileChange({ path, before, after }: { path: string; before: string | undefined; after: string | undefined }) {
  if (isBytes(before ?? '') || isBytes(after ?? '')) {
    const size = (content: string | undefined) => (content === undefined ? 'no file' : bytes(sizeOf(content)))
    return <p className="p-8 text-center text-dim">Binary file: {size(before)} before, {size(after)} after.</p>
  }
  return <CodeDiff key={path} before={before ?? ''} after={after ?? ''} language={languageOf(path)} className="rounded-none border-0" />
}
