import { Link } from '@tanstack/react-router'
import { ago, compact, count, dateTime, money, shortTime } from '@/lib/format'

export const none = <span className="text-faint">–</span>

/** The tokens of a trace, session or user. */
export function Tokens({ item }: { item: { total_tokens: number | null; input_tokens: number | null; output_tokens: number | null } }) {
  if (item.total_tokens === null) return none
  return <span title={`${count(item.input_tokens ?? 0)} input, ${count(item.output_tokens ?? 0)} output`}>{compact(item.total_tokens)}</span>
}

export function Cost({ dollars }: { dollars: number | null }) {
  return dollars === null ? none : money(dollars)
}

export function At({ time }: { time: string }) {
  return <time dateTime={time} title={`${dateTime(time)} (${ago(time)})`}>{shortTime(time)}</time>
}

const linkClass = 'block max-w-full truncate rounded text-accent-ink hover:underline'

export function SessionLink({ workspace, id, className = linkClass }: { workspace: number; id: string; className?: string }) {
  return <Link to="/$workspace/sessions/$session" params={{ workspace: String(workspace), session: id }} search={{}} title={`Open session ${id}`} className={className}>{id}</Link>
}

export function UserLink({ workspace, id, className = linkClass }: { workspace: number; id: string; className?: string }) {
  return <Link to="/$workspace/users/$user" params={{ workspace: String(workspace), user: id }} search={{}} title={`Open user ${id}`} className={className}>{id}</Link>
}
