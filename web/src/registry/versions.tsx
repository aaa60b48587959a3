import { useNavigate } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '@/ui/button'
import type { LabelChanges } from '@/ui/label-changes'
import { ErrorState, Loading } from '@/ui/page'
import { Pager, SimpleTable, type Column } from '@/ui/table'
import { Ago } from '@/ui/time'
import { VersionLabels } from '@/ui/version-labels'
import { VersionLink } from './version-link'

interface Listed {
  id: number | string
  number: number
  commit_message: string | null
  created_by: string | null
  created_at: string
  release_labels: { id: number; name: string }[]
}

/** All versions, newest first, with their labels. */
export function Versions<Version extends Listed>({ answer, shown, page = 1, changes, mayDeploy, columns, actions }: {
  answer: { data: { items: Version[]; pages: number; total: number } | undefined; isError: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** The version in the URL, and the page of the list. */
  shown: number | undefined
  page: number | undefined
  changes: LabelChanges
  mayDeploy: boolean
  /** The columns that only this kind has. */
  columns: Column<Version>[]
  /** Further actions on a version. */
  actions?: (version: Version) => ReactNode
}) {
  const navigate = useNavigate()
  const { data } = answer
  if (answer.isError) return <ErrorState error={answer.error} retry={() => void answer.refetch()} />
  if (data === undefined) return <Loading />
  return (
    <>
      <SimpleTable
        label="Versions"
        rows={data.items}
        rowKey={({ id }) => id}
        onOpen={({ number }) => void navigate({ to: '.', search: { version: number } })}
        selected={({ number }) => number === shown}
        columns={[
          { header: 'Version', className: 'w-20', cell: ({ number }) => <VersionLink search={{ version: number }} className="tabular font-medium text-accent-ink hover:underline">{number}</VersionLink> },
          { header: 'Labels', className: 'whitespace-normal', cell: (version) => <VersionLabels version={version} versions={data.items} changes={changes} may={mayDeploy} /> },
          { header: 'What changed', className: 'w-full', cell: ({ commit_message }) => commit_message || <span className="text-faint">no message</span> },
          ...columns,
          { header: 'Saved by', className: 'hidden text-dim lg:table-cell', cell: ({ created_by }) => created_by ?? '' },
          { header: 'Saved', className: 'hidden text-dim sm:table-cell', cell: ({ created_at }) => <Ago at={created_at} /> },
          {
            header: <span className="sr-only">Actions</span>,
            className: 'text-right',
            cell: (version) => (
              <span className="inline-flex items-center gap-1">
                {version.number > 1 && (
                  <VersionLink search={{ tab: 'compare', version: version.number, compare: version.number - 1 }} className={buttonClass('quiet', true)} title={`Compare with version ${version.number - 1}`} aria-label={`Compare version ${version.number} with the previous one`}>
                    <GitCompareArrows /> <span className="sr-only lg:not-sr-only">Compare</span>
                  </VersionLink>
                )}
                {actions?.(version)}
              </span>
            ),
          },
        ]}
      />
      <Pager page={page} pages={data.pages} total={data.total} noun="versions" onPage={(next) => void navigate({ to: '.', search: (old) => ({ ...old, page: next }) })} />
    </>
  )
}
