import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/api/session'
import type { Report } from '@/evaluation/data'
import { cn } from '@/lib/cn'
import { count, duration, money, plural } from '@/lib/format'
import { usageQuery, type ColumnUsage } from './usage'

/** The time and cost of a run, and of each of its columns. */
export function RunUsage({ run }: { run: Report }) {
  const { workspace_id: workspace } = useSession()
  const { data } = useQuery(usageQuery(workspace, run.report.id, run.status === 'RUNNING'))
  const [open, setOpen] = useState(false)
  if (data === undefined || (data.duration_ms === null && data.total.requests === 0)) return null
  const { total, columns, duration_ms: took } = data
  const detailed = columns.length > 0
  return (
    <section aria-label="Time and cost" className="border-b border-line bg-surface text-[13px]">
      <div className="flex flex-wrap items-center gap-x-4 px-4 py-1 text-dim">
        {took !== null && <span>Time {duration(took)}</span>}
        {total.requests > 0 && (
          <>
            <span>Cost {total.cost === null ? 'unknown' : money(total.cost)}</span>
            <span>{plural(total.requests, 'request')}</span>
            {total.latency_ms !== null && <span>Median latency {duration(total.latency_ms)}</span>}
          </>
        )}
        {detailed && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex items-center gap-1 rounded px-2 py-1 hover:bg-hover">
            <ChevronRight className={cn('size-4 transition-transform', open && 'rotate-90')} /> By column
          </button>
        )}
      </div>
      {open && detailed && <div className="max-h-72 overflow-auto border-t border-line px-4 py-2" tabIndex={0} role="group" aria-label="Cost and latency by column"><UsageTable workspace={workspace} columns={columns} /></div>}
    </section>
  )
}

const headings = ['Requests', 'Cost', 'Median latency', '95th percentile', 'Prompt versions used', 'Workflow versions used']

function UsageTable({ workspace, columns }: { workspace: number; columns: ColumnUsage[] }) {
  return (
    <table className="text-left">
      <thead>
        <tr className="text-xs text-faint">
          {['Column', ...headings].map((heading) => <th key={heading} scope="col" className="border-b border-line px-3 py-1 font-medium first:pl-0">{heading}</th>)}
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <tr key={column.column_id} className="tabular">
            <th scope="row" className="border-b border-line py-1 pr-3 font-normal">{column.name}</th>
            <Number>{count(column.requests)}</Number>
            <Number>{column.requests === 0 ? '–' : column.cost === null ? 'unknown' : money(column.cost)}</Number>
            <Number>{column.latency_ms === null ? '–' : duration(column.latency_ms)}</Number>
            <Number>{column.latency_p95_ms === null ? '–' : duration(column.latency_p95_ms)}</Number>
            <td className="border-b border-line px-3 py-1">
              {column.prompts.length === 0 ? '–' : column.prompts.map(({ prompt_id, version, requests }) => (
                <Link key={`${prompt_id} ${version}`} to="/$workspace/prompts/$prompt" params={{ workspace: String(workspace), prompt: String(prompt_id) }} search={{ version }} className="mr-3 text-accent-ink underline">
                  Version {version}{column.prompts.length > 1 && ` (${plural(requests, 'request')})`}
                </Link>
              ))}
            </td>
            <td className="border-b border-line px-3 py-1">
              {column.workflows.length === 0 ? '–' : column.workflows.map(({ workflow_id, version, runs }) => (
                <Link key={`${workflow_id} ${version}`} to="/$workspace/workflows/$workflow" params={{ workspace: String(workspace), workflow: String(workflow_id) }} search={{ version }} className="mr-3 text-accent-ink underline">
                  {several(column.workflows) && `Workflow ${workflow_id}, `}Version {version}{column.workflows.length > 1 && ` (${plural(runs, 'run')})`}
                </Link>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether a column ran different workflows, not only versions of one. */
function several(workflows: ColumnUsage['workflows']): boolean {
  return workflows.some(({ workflow_id }) => workflow_id !== workflows[0]?.workflow_id)
}

function Number({ children }: { children: string }) {
  return <td className="border-b border-line px-3 py-1 text-right">{children}</td>
}
