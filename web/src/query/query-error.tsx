import { ApiError } from '@/api/client'
import { QueryError } from './parse'

/** An error in a query: a syntax error with its position, or the server's error. */
export function QueryProblem({ id, text, error }: { id: string; text: string; error: unknown }) {
  if (!(error instanceof Error)) return null
  const problems = error instanceof ApiError && error.problems.length > 1 ? error.problems : [error.message]
  return (
    <div id={id} role="alert" className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-[13px] text-bad">
      {error instanceof QueryError && <Marked text={text} from={error.from} to={error.to} />}
      <span>{problems.join(' · ')}{error instanceof QueryError && ` (position ${error.from + 1})`}</span>
    </div>
  )
}

/** The text around the position, with the position marked. */
function Marked({ text, from, to }: { text: string; from: number; to: number }) {
  const start = Math.max(0, from - 24)
  return (
    <code className="rounded bg-bad-soft px-1.5 font-mono text-xs whitespace-pre">
      {start > 0 && '…'}
      {text.slice(start, from)}
      <mark className="bg-transparent font-semibold text-bad underline decoration-wavy">{text.slice(from, to) || '▴'}</mark>
      {text.slice(to, to + 24)}
    </code>
  )
}
