import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { actions, actorWords, isNarrowed, kinds } from './audit-query'
import { actorKinds, auditRanges, type Search } from './search'

const rangeWords = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days', custom: 'Custom dates' }

type Change = (change: Partial<Search>) => void

/** The filters of the audit log. Every change returns to the newest entries. */
export function AuditFilters({ search, onChange }: { search: Search; onChange: Change }) {
  const owns = useMay('OWN')
  const change: Change = (next) => onChange({ ...next, before: undefined, entry: undefined })
  return (
    <div className="grid grid-cols-2 items-end gap-2 md:flex md:flex-wrap">
      {owns && (
        <Choice wide label="Log" value={search.installation ? 'installation' : ''} onChange={(value) => change({ installation: value === 'installation' ? true : undefined })}>
          <option value="">This workspace</option>
          <option value="installation">Installation</option>
        </Choice>
      )}
      <Who key={search.actor ?? ''} actor={search.actor} onChange={change} />
      <Choice label="Via" value={search.by ?? ''} onChange={(value) => change({ by: actorKinds.find((kind) => kind === value) })}>
        <option value="">Any</option>
        {actorKinds.map((kind) => <option key={kind} value={kind}>{actorWords[kind]}</option>)}
      </Choice>
      <Choice label="Action" value={search.action ?? ''} onChange={(value) => change({ action: value || undefined })}>
        <option value="">All</option>
        {actions.map((action) => <option key={action} value={action}>{action}</option>)}
      </Choice>
      <Choice label="Kind" value={search.kind ?? ''} onChange={(value) => change({ kind: value || undefined, subject: undefined })}>
        <option value="">All</option>
        {Object.entries(kinds).map(([kind, words]) => <option key={kind} value={kind}>{words}</option>)}
      </Choice>
      <Choice label="Time" value={search.range ?? ''} onChange={(value) => change({ range: auditRanges.find((range) => range === value), from: undefined, until: undefined })}>
        <option value="">Any time</option>
        {auditRanges.map((range) => <option key={range} value={range}>{rangeWords[range]}</option>)}
      </Choice>
      {search.range === 'custom' && (
        <>
          <Day label="From" value={search.from} onChange={(from) => change({ from })} />
          <Day label="Until" value={search.until} onChange={(until) => change({ until })} />
        </>
      )}
      {search.kind !== undefined && search.subject !== undefined && <span className="self-end pb-1.5 text-[13px] text-dim">Only {kinds[search.kind] ?? search.kind} {search.subject}</span>}
      {isNarrowed(search) && (
        <Button look="quiet" onClick={() => change({ actor: undefined, by: undefined, action: undefined, kind: undefined, subject: undefined, range: undefined, from: undefined, until: undefined })}>
          <X /> Clear
        </Button>
      )}
    </div>
  )
}

function Choice({ label, value, onChange, children, wide }: { wide?: boolean; label: string; value: string; onChange: (value: string) => void; children: ReactNode }) {
  return (
    <Field label={label}>
      {(control) => <Select {...control} className={cn('w-full', !wide && 'md:max-w-32')} value={value} onChange={(event) => onChange(event.target.value)}>{children}</Select>}
    </Field>
  )
}

function Day({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  return (
    <Field label={label}>
      {(control) => <Input {...control} type="date" className="md:w-36" value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)} />}
    </Field>
  )
}

/** The user or key by full name, with completion of member emails. Applied on blur or Enter. */
function Who({ actor, onChange }: { actor: string | undefined; onChange: Change }) {
  const { workspace_id } = useSession()
  const [text, setText] = useState(actor ?? '')
  const members = useQuery({
    queryKey: ['w', workspace_id, 'members'],
    queryFn: async () => (await call(api.GET('/api/admin/users'))).users,
  })
  const apply = (value: string) => {
    if (value.trim() !== (actor ?? '')) onChange({ actor: value.trim() || undefined })
  }
  return (
    <Field label="Who">
      {(control) => (
        <>
          <Input
            {...control}
            list="audit-people"
            className="md:w-44"
            placeholder="Email or key name"
            maxLength={255}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              if (members.data?.some(({ email }) => email === event.target.value)) apply(event.target.value)
            }}
            onBlur={() => apply(text)}
            onKeyDown={(event) => { if (event.key === 'Enter') apply(text) }}
          />
          <datalist id="audit-people">{members.data?.map(({ id, email }) => <option key={id} value={email} />)}</datalist>
        </>
      )}
    </Field>
  )
}
