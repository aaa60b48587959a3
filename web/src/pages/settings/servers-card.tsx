import type { Schemas } from '@/api/client'
import { count, dateTime } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Card } from '@/ui/page'

type Server = Schemas['HealthResponse']['servers'][number]

/** The servers of an installation that has more than one. */
export function ServersCard({ servers }: { servers: Server[] }) {
  if (servers.length < 2) return null
  return (
    <Card title="Servers">
      <ul className="divide-y divide-line">
        {servers.map((server) => (
          <li key={`${server.host} ${server.process_id} ${server.started_at}`} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="font-medium">{server.host || 'starting'}</span>
            {server.this && <Badge>this server</Badge>}
            <ServerState server={server} />
            <span className="text-faint">{server.version} · since {dateTime(server.started_at)} · process {server.process_id}</span>
            <span className="tabular ml-auto">{count(server.ingest.waiting_logs)} logs queued</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ServerState({ server }: { server: Server }) {
  if (!server.running) return <Badge tone="bad">not responding</Badge>
  if (server.problem) return <Badge tone="bad" title={server.problem}>refusing logs</Badge>
  return <Badge tone="good">running</Badge>
}
