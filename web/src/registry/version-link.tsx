import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** What the pages of all versioned kinds understand in their URLs. */
export interface VersionSearch {
  tab?: string
  version?: number
  compare?: number
}

/** A link to a version on the page that shows it. */
export function VersionLink({ search, ...rest }: { search: VersionSearch; className?: string; title?: string; 'aria-label'?: string; children: ReactNode }) {
  // The router checks the search of each page by itself: its type is not known here.
  return <Link to="." search={search as never} {...rest} />
}
