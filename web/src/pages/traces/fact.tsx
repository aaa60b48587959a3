import type { ReactNode } from 'react'

/** A key figure of a trace, session or user, in a list of them. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return <div className="min-w-0"><dt className="text-xs text-faint">{name}</dt><dd className="tabular truncate font-medium">{children}</dd></div>
}

/** The classes of a link in a Fact. */
export const factLink = 'max-w-48 truncate text-accent-ink underline'
