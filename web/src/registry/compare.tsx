import type { ReactNode } from 'react'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { ComparedVersions } from '@/ui/versions'

interface Loaded<Version> {
  data: Version | undefined
  error: Error | null
}

/** The two versions that a URL compares: the named one or the latest, and the named one or that before it. */
export function comparedIn({ version, compare }: { version?: number; compare?: number }, latest: number): { before: number; after: number } {
  const after = version ?? latest
  return { before: compare ?? Math.max(after - 1, 1), after }
}

/** Selects two versions, and shows the differences when both are loaded. */
export function Compare<Version>({ versions, count, before, after, left, right, onChange, summary, beside, className = 'gap-4 p-4', barClass, children }: {
  /** The versions to choose from. */
  versions: { number: number; release_labels: { name: string }[] }[]
  /** How many there are. */
  count: number
  before: number
  after: number
  left: Loaded<Version>
  right: Loaded<Version>
  onChange: (before: number, after: number) => void
  /** What differs, in words. */
  summary?: (before: Version, after: Version) => string
  /** Rendered beside the choice of versions. */
  beside?: ReactNode
  className?: string
  barClass?: string
  children: (before: Version, after: Version) => ReactNode
}) {
  if (count <= 1) return <EmptyState title={count === 1 ? 'Only one version' : 'No versions yet'}>Save another version to compare them.</EmptyState>
  const error = left.error ?? right.error
  const show = (render: (before: Version, after: Version) => ReactNode) => left.data !== undefined && right.data !== undefined && render(left.data, right.data)
  return (
    <div className={`flex flex-col ${className}`}>
      <div className={`flex flex-wrap items-center gap-2 ${barClass ?? ''}`}>
        <ComparedVersions versions={versions} before={before} after={after} onChange={onChange} />
        {summary && show((...both) => <span className="text-[13px] text-dim">{summary(...both)}</span>)}
        {beside}
      </div>
      {error ? <LoadError what="version" error={error} /> : show(children) || <Loading />}
    </div>
  )
}
