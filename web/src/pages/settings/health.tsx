import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { bytes, count, dateTime, percent, plural } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Card, ErrorState, Loading } from '@/ui/page'
import { Ago } from '@/ui/time'
import { backupState, diskState, span } from './health-words'
import { NotAllowed, Section } from './section'
import { ServersCard } from './servers-card'

type Health = Schemas['HealthResponse']

export function HealthSection() {
  const administers = useMay('ADMIN')
  if (!administers) return <Section id="health"><NotAllowed permission="ADMIN">Only administrators can see the health of the server.</NotAllowed></Section>
  return <Section id="health"><Readings /></Section>
}

function Readings() {
  const { workspace_id } = useSession()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['w', workspace_id, 'health'],
    queryFn: () => call(api.GET('/api/admin/health')),
    refetchInterval: 5000,
  })
  if (isPending) return <Loading />
  if (!data) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <>
      {error && <Notice level="bad">The server is not responding. The values below may be out of date.</Notice>}
      {data.problem && <Notice level="bad">Request logs are currently refused: {data.problem}</Notice>}
      {data.damage.blocks > 0 && (
        <Notice level="bad">
          Logs damaged: {count(data.damage.logs)}. Spans damaged: {count(data.damage.spans)}. A part of the stored request logs and spans cannot be read; all others can. Run <code className="font-mono text-xs">promptuary verify</code> to list them.
        </Notice>
      )}
      {data.damage.catalog_problems > 0 && (
        <Notice level="bad">
          Catalog damaged: {plural(data.damage.catalog_problems, 'problem')}. Prompts, users or settings may be lost or wrong. Restore the catalog from a backup; the log of the server and <code className="font-mono text-xs">promptuary verify</code> list the problems.
        </Notice>
      )}
      <DiskNotice disk={data.disk} />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        <ProgramCard health={data} />
        <StoreCard title="Request logs" store={data.logs} rows={[['In this workspace', data.request_logs === null ? 'unknown' : count(data.request_logs)]]} />
        <StoreCard title="Catalog" store={data.catalog} rows={[['Contains', 'prompts, users, settings']]} />
        <DiskCard disk={data.disk} />
        <IngestCard ingest={data.ingest} />
        <RunsCard runs={data.runs} />
        <BackupCard backup={data.backup} />
      </div>
      <ServersCard servers={data.servers} />
      <p className="text-[13px] text-faint">
        For monitoring, use <code className="font-mono text-xs">/healthz</code>, <code className="font-mono text-xs">/readyz</code> and <code className="font-mono text-xs">/metrics</code>.
      </p>
    </>
  )
}

function Notice({ level, children }: { level: 'warn' | 'bad'; children: ReactNode }) {
  return (
    <div role="alert" className={cn('flex items-start gap-2.5 rounded-md px-3 py-2', level === 'bad' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn')}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" /> <span>{children}</span>
    </div>
  )
}

function DiskNotice({ disk }: { disk: Health['disk'] }) {
  const state = diskState(disk)
  if (state === null || state.level === 'good') return null
  return (
    <Notice level={state.level}>
      The disk is almost full ({bytes(disk.free_bytes ?? 0)} free). Free up space: when the disk is full, request logs are refused.
    </Notice>
  )
}

type Row = [label: string, value: ReactNode]

function Rows({ rows }: { rows: Row[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
      {rows.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-faint">{label}</dt>
          <dd className="tabular text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const unknown = <span className="text-faint">unknown</span>

function ProgramCard({ health }: { health: Health }) {
  return (
    <Card title="Server" actions={health.problem ? <Badge tone="bad">refusing logs</Badge> : <Badge tone="good">healthy</Badge>}>
      <Rows
        rows={[
          ['Version', health.version],
          ['Uptime', <span key="up" title={`Since ${dateTime(health.started_at)}`}>{span(health.uptime_seconds)}</span>],
          ['Memory', health.memory_bytes === null ? unknown : bytes(health.memory_bytes)],
          ['Go version', health.go_version],
        ]}
      />
    </Card>
  )
}

function StoreCard({ title, store, rows }: { title: string; store: Health['logs']; rows: Row[] }) {
  const engine = [store.engine, store.version?.replace(/^v/, '')].filter(Boolean).join(' ')
  return <Card title={title}><Rows rows={[...rows, ['Engine', engine], ['Size', store.size_bytes === null ? unknown : bytes(store.size_bytes)]]} /></Card>
}

const fills = { good: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' }

function DiskCard({ disk }: { disk: Health['disk'] }) {
  const state = diskState(disk)
  if (state === null) return <Card title="Disk"><p className="text-faint">Disk usage is not available.</p></Card>
  return (
    <Card title="Data disk">
      <Rows rows={[['Free', bytes(disk.free_bytes ?? 0)], ['Size', bytes(disk.total_bytes ?? 0)], ['Used', percent(state.used)]]} />
      <div role="meter" aria-label="Disk usage" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(state.used * 100)} className="mt-3 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div className={cn('h-full rounded-full', fills[state.level])} style={{ width: percent(state.used) }} />
      </div>
    </Card>
  )
}

function IngestCard({ ingest }: { ingest: Health['ingest'] }) {
  return (
    <Card title="Ingestion">
      <Rows
        rows={[
          ['Queued', `${count(ingest.waiting_logs)} logs, ${bytes(ingest.waiting_bytes)}`],
          ['Not yet searchable', `${count(ingest.pending_operations)} changes, ${bytes(ingest.pending_bytes)}`],
        ]}
      />
    </Card>
  )
}

function RunsCard({ runs }: { runs: Health['runs'] }) {
  return (
    <Card title="Runs in this workspace">
      <Rows
        rows={[
          ['Running', count(runs.running)],
          ['Queued', count(runs.waiting)],
          ['Longest wait', runs.oldest_waiting_seconds === null ? '–' : span(runs.oldest_waiting_seconds)],
        ]}
      />
    </Card>
  )
}

function BackupCard({ backup }: { backup: Health['backup'] }) {
  if (backup === null) return <Card title="Backup"><p className="text-dim">No backup of this server yet. Run <code className="font-mono text-xs">promptuary backup</code>, and schedule it.</p></Card>
  const { tone, words } = backupState(backup)
  return (
    <Card title="Backup" actions={<Badge tone={tone}>{words}</Badge>}>
      <Rows
        rows={[
          ['Last run', <Ago key="run" at={backup.ended_at} />],
          ['Last point', backup.point_at === null ? 'none' : <Ago key="point" at={backup.point_at} />],
          ['Written', bytes(backup.written_bytes)],
        ]}
      />
      {backup.error !== null && <p className={cn('mt-2 break-words', tone === 'bad' ? 'text-bad' : 'text-warn')}>{backup.error}</p>}
    </Card>
  )
}
