import { Link, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { ApiError } from '@/api/client'
import { cn } from '@/lib/cn'
import { Button, Spinner } from './button'

/** A page: its title, what can be done on it, and below that its content. */
export function Page({ title, lead, actions, children, className, fill }: {
  /** Also the title of the browser's tab. */
  title: string
  /** What stands before the title, such as a link to the list. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
  /** Whether the content takes the height that is left and scrolls by itself. */
  fill?: boolean
}) {
  useEffect(() => {
    document.title = `${title} · Promptuary`
  }, [title])
  return (
    <div className={cn('flex min-w-0 flex-col', fill ? 'h-full min-h-0' : 'min-h-full')}>
      <header className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-surface px-4 py-2 md:px-5">
        {lead}
        <h1 className="min-w-0 truncate text-base font-semibold">{title}</h1>
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className={cn('min-w-0 flex-1', fill && 'flex min-h-0 flex-col', className)}>{children}</div>
    </div>
  )
}

type ListPath = '/$workspace/analytics' | '/$workspace/prompts' | '/$workspace/workflows' | '/$workspace/datasets' | '/$workspace/evaluations' | '/$workspace/skills' | '/$workspace/tools'

/** Stands before the title of a page about one thing: the way back to the list of all of them. */
export function BackLink({ to, children }: { to: ListPath; children: ReactNode }) {
  const { workspace } = useParams({ from: '/$workspace' })
  return (
    <span className="flex items-center gap-2 text-dim">
      <Link to={to} params={{ workspace }} search={{}} className="rounded hover:text-ink hover:underline">
        {children}
      </Link>
      <span aria-hidden className="text-faint">/</span>
    </span>
  )
}

/** A bordered box with a heading. */
export function Card({ title, actions, children, className }: { title?: ReactNode; actions?: ReactNode; children: ReactNode; className?: string }) {
  return (
    <section className={cn('min-w-0 rounded-lg border border-line bg-surface', className)}>
      {(title !== undefined || actions !== undefined) && (
        <header className="flex items-center justify-between gap-3 px-4 pt-3">
          <h2 className="text-[13px] font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className="p-4">{children}</div>
    </section>
  )
}

/** What a list shows before it has anything: what belongs here and how it gets here. */
export function EmptyState({ title, children, action, icon }: { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-6 py-16 text-center">
      {icon && <div className="text-faint [&_svg]:size-8">{icon}</div>}
      <h2 className="text-base font-semibold">{title}</h2>
      {children && <div className="max-w-full text-dim">{children}</div>}
      {action}
    </div>
  )
}

export function ErrorState({ error, retry }: { error: unknown; retry?: () => void }) {
  const problems = error instanceof ApiError ? error.problems : []
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-center gap-3 px-6 py-16 text-center">
      <h2 className="text-base font-semibold">This did not work</h2>
      <p className="text-dim">{error instanceof Error ? error.message : String(error)}</p>
      {problems.length > 1 && <ul className="list-disc text-left text-dim">{problems.map((text) => <li key={text}>{text}</li>)}</ul>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

/** What stands in place of a thing that the address names and nobody has. */
export function Missing({ what, action }: { what: string; action?: ReactNode }) {
  return <EmptyState title={`This ${what} is not there`} icon={<SearchX />} action={action}>It was deleted, or the address was mistyped.</EmptyState>
}

/** What stands in place of a thing that could not be loaded: that it is not there, or why it did not work. */
export function LoadError({ what, error, retry, action }: { what: string; error: unknown; retry?: () => void; action?: ReactNode }) {
  // A number in the address that cannot be one is refused as wrong.
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return missing ? <Missing what={what} action={action} /> : <ErrorState error={error} retry={retry} />
}

/** Shown while a page or a part of it is on its way. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-2 p-10 text-faint">
      <Spinner /> {label}…
    </div>
  )
}

export function NotFound() {
  return (
    <EmptyState title="Nothing is here" action={<Link to="/" className="text-accent-ink underline">Go to the start</Link>}>
      The address leads to no page. It may have been mistyped.
    </EmptyState>
  )
}
