import { Link, useParams } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { ApiError } from '@/api/client'
import { cn } from '@/lib/cn'
import { Button, Spinner } from './button'

/** A page with its title, actions and content. */
export function Page({ title, lead, actions, children, className, fill }: {
  /** Also the title of the browser tab. */
  title: string
  /** Rendered before the title, such as a link to the list. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
  /** Whether the content fills the remaining height and scrolls by itself. */
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

type ListPath = '/$workspace/traces' | '/$workspace/sessions' | '/$workspace/users' | '/$workspace/analytics' | '/$workspace/prompts' | '/$workspace/workflows' | '/$workspace/datasets' | '/$workspace/evaluations' | '/$workspace/skills' | '/$workspace/tools'

/** The link to the list, before the title of a page about one item. */
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

/** Shown in place of an empty list: what belongs here and what to do next. */
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
      <h2 className="text-base font-semibold">Something went wrong</h2>
      <p className="text-dim">{error instanceof Error ? error.message : String(error)}</p>
      {problems.length > 1 && <ul className="list-disc text-left text-dim">{problems.map((text) => <li key={text}>{text}</li>)}</ul>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

/** Shown when the item in the URL does not exist. */
export function Missing({ what, action }: { what: string; action?: ReactNode }) {
  return <EmptyState title={`${what[0]?.toUpperCase()}${what.slice(1)} not found`} icon={<SearchX />} action={action}>It may have been deleted, or the link is wrong.</EmptyState>
}

/** Shown when an item could not be loaded: not found, or the error. */
export function LoadError({ what, error, retry, action }: { what: string; error: unknown; retry?: () => void; action?: ReactNode }) {
  // An id in the URL that is not a number is refused as invalid.
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 422)
  return missing ? <Missing what={what} action={action} /> : <ErrorState error={error} retry={retry} />
}

/** Shown while a page or part of it is loading. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="flex items-center justify-center gap-2 p-10 text-faint">
      <Spinner /> {label}…
    </div>
  )
}

export function NotFound() {
  return (
    <EmptyState title="Page not found" action={<Link to="/" className="text-accent-ink underline">Go to the home page</Link>}>
      Check the address for typos.
    </EmptyState>
  )
}
