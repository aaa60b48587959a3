import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '@/api/client'
import { dateTime } from '@/lib/format'
import { CopyButton } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { JsonView } from '@/ui/json'
import { actorWords, kinds } from './audit-query'

type Entry = Schemas['AuditItem']

/** The details of one entry. */
export function AuditEntry({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { workspace } = useParams({ from: '/$workspace' })
  // Entries about the installation are in a separate log.
  const installation = entry.workspace_id === null ? true : undefined
  const section = { to: '/$workspace/settings/$section', params: { workspace, section: 'audit' }, className: 'text-accent-ink underline' } as const
  const rows: [string, ReactNode][] = [
    ['When', dateTime(entry.at)],
    ['Who', <>{entry.actor} <Link {...section} search={{ actor: entry.actor, installation }}>all entries</Link></>],
    ['Via', actorWords[entry.actor_kind as keyof typeof actorWords] ?? entry.actor_kind],
    ['What', <><SubjectLink entry={entry} /> <Link {...section} search={{ kind: entry.subject_kind, subject: entry.subject_id, installation }}>history</Link></>],
  ]
  return (
    <Dialog open title={`${entry.action.slice(0, 1).toUpperCase()}${entry.action.slice(1)}`} onOpenChange={(open) => { if (!open) onClose() }}>
      <dl className="grid grid-cols-[5rem_1fr] gap-y-1.5">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-faint">{label}</dt>
            <dd className="flex min-w-0 flex-wrap gap-x-2 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 mb-1 flex items-center justify-between">
        <h3 className="text-[13px] font-medium text-dim">Entry</h3>
        <CopyButton text={() => JSON.stringify(entry, null, 2)} label="Copy as JSON" />
      </div>
      <div className="rounded-md border border-line bg-sunken p-3"><JsonView value={entry} /></div>
    </Dialog>
  )
}

/** The changed item, with a link if it has a page. */
export function SubjectLink({ entry }: { entry: Entry }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const id = String(entry.subject_id)
  const name = entry.subject_name || id
  const className = 'font-medium hover:underline'
  const link = () => {
    if (entry.action === 'delete') return <span className="font-medium">{name}</span>
    switch (entry.subject_kind) {
      case 'prompt': return <Link to="/$workspace/prompts/$prompt" params={{ workspace, prompt: id }} search={{}} className={className}>{name}</Link>
      case 'workflow': return <Link to="/$workspace/workflows/$workflow" params={{ workspace, workflow: id }} search={{}} className={className}>{name}</Link>
      case 'dataset': return <Link to="/$workspace/datasets/$group" params={{ workspace, group: id }} search={{}} className={className}>{name}</Link>
      case 'report': return <Link to="/$workspace/evaluations/$evaluation" params={{ workspace, evaluation: id }} search={{}} className={className}>{name}</Link>
      case 'tool': return <Link to="/$workspace/tools/$tool" params={{ workspace, tool: id }} search={{}} className={className}>{name}</Link>
      case 'folder': return <Link to="/$workspace/prompts" params={{ workspace }} search={{ folder: entry.subject_id }} className={className}>{name}</Link>
      case 'KEY': return <Link to="/$workspace/settings/$section" params={{ workspace, section: 'keys' }} search={{ ended: true }} className={className}>{name}</Link>
      default: return <span className="font-medium">{name}</span>
    }
  }
  return <span><span className="text-faint">{kinds[entry.subject_kind] ?? entry.subject_kind}</span> {link()}</span>
}
