import type { ReactNode } from 'react'

/** The buttons of a step, which stay in sight. */
export function Footer({ children }: { children: ReactNode }) {
  return <div className="sticky -bottom-2 -mx-5 mt-4 -mb-2 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3">{children}</div>
}
