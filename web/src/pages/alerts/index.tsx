import { useNavigate, useSearch } from '@tanstack/react-router'
import { BellRing, Ellipsis, History as HistoryIcon, Pencil, Plus, Power, Trash2, Wallet } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { percent } from '@/lib/format'
import { queryWords } from '@/query/stored'
import { Badge } from '@/ui/badge'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading, Page } from '@/ui/page'
import { SimpleTable, type Column } from '@/ui/table'
import { Ago } from '@/ui/time'
import { useAlertActions, useAlerts } from './alert-data'
import { AlertDialog } from './alert-dialog'
import { type Alert, conditionWords, stateWords, tones, valueWords } from './alert-form'
import { History } from './history'
import type { Search } from './search'

const whyNot = 'You do not have permission to change alerts'

export default function AlertsPage() {
  const search = useSearch({ from: '/$workspace/alerts' })
  const navigate = useNavigate({ from: '/$workspace/alerts' })
  const change = (next: Search, replace = false) => void navigate({ search: { ...next }, replace })
  const manages = useMay('MANAGE_ALERTS')
  const [edited, setEdited] = useState<Alert | null>(null)
  const list = useAlerts()
  const open = list.data?.find(({ id }) => id === search.alert)
  const actions = (
    <>
      <Button disabled={!manages} title={manages ? undefined : whyNot} onClick={() => change({ new: 'budget' })}><Wallet /> New budget</Button>
      <Button look="primary" disabled={!manages} title={manages ? undefined : whyNot} onClick={() => change({ new: 'alert' })}><Plus /> New alert</Button>
    </>
  )
  return (
    <Page title="Alerts" actions={actions}>
      <div className="flex flex-col gap-4 p-4 md:p-5">
        {list.isPending && <Loading />}
        {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
        {list.data && (
          <div className="rounded-lg border border-line bg-surface">
            {list.data.length > 0
              ? <AlertTable alerts={list.data} manages={manages} onEdit={setEdited} onHistory={({ id }) => change({ alert: id })} />
              : (
                <EmptyState icon={<BellRing />} title="No alerts" action={manages && <Button onClick={() => change({ new: 'alert' })}><Plus /> New alert</Button>}>
                  An alert watches the error rate, cost, latency or a score of requests and tells a webhook, a chat or an e-mail address. A budget does so for the cost of a day or month.
                </EmptyState>
              )}
          </div>
        )}
        {!manages && <p className="text-[13px] text-faint">{whyNot}.</p>}
      </div>
      {search.new !== undefined && manages && <AlertDialog alert={null} kind={search.new} q={search.q} onClose={() => change({}, true)} />}
      {edited && <AlertDialog alert={edited} kind="alert" onClose={() => setEdited(null)} />}
      {open && <History alert={open} page={search.page ?? 1} onPage={(page) => change({ alert: open.id, page: page === 1 ? undefined : page })} onClose={() => change({}, true)} />}
    </Page>
  )
}

interface RowActions {
  onEdit: (alert: Alert) => void
  onHistory: (alert: Alert) => void
}

function AlertTable({ alerts, manages, ...actions }: { alerts: Alert[]; manages: boolean } & RowActions) {
  const columns: Column<Alert>[] = [
    { header: 'Name', cell: (alert) => <NameCell alert={alert} onHistory={actions.onHistory} />, className: 'max-w-72 max-sm:max-w-36 max-sm:px-2' },
    { header: 'State', cell: StateCell, className: 'max-sm:px-2' },
    { header: 'Value', cell: ValueCell, className: 'max-sm:px-2' },
    { header: 'Requests', cell: ({ query }) => <span title={queryWords(query)}>{queryWords(query)}</span>, className: 'hidden lg:table-cell text-dim' },
    { header: 'Evaluated', cell: ({ evaluated_at }) => (evaluated_at === null ? <span className="text-faint">not yet</span> : <Ago at={evaluated_at} />), className: 'hidden md:table-cell text-dim' },
  ]
  const menu: Column<Alert> = {
    header: <span className="sr-only">Actions</span>, className: 'w-12 text-right max-sm:px-1', cell: (alert) => <AlertMenu alert={alert} {...actions} />,
  }
  return <SimpleTable label="Alerts" rows={alerts} rowKey={({ id }) => id} onOpen={actions.onHistory} columns={manages ? [...columns, menu] : columns} />
}

function NameCell({ alert, onHistory }: { alert: Alert; onHistory: (alert: Alert) => void }) {
  return (
    <span className="flex flex-col items-start">
      <button type="button" className={cn('max-w-full truncate font-medium hover:underline', !alert.enabled && 'text-faint')} title="Show history" onClick={() => onHistory(alert)}>{alert.name}</button>
      <span className="max-w-full truncate text-xs text-faint" title={conditionWords(alert)}>{conditionWords(alert)}</span>
    </span>
  )
}

function StateCell({ enabled, state, level_percent, error }: Alert) {
  if (!enabled) return <Badge>disabled</Badge>
  return <Badge tone={tones[state]} title={error ?? undefined}>{stateWords(state, level_percent)}</Badge>
}

/** The value; that of a budget with its share and the forecast. */
function ValueCell({ measure, value, threshold, period, forecast, error }: Alert) {
  if (error !== null) return <span className="text-warn" title={error}>{error}</span>
  if (value === null) return <span className="text-faint">–</span>
  if (period === null) return <span className="tabular">{valueWords(measure, value)}</span>
  const share = value / threshold
  return (
    <span className="flex flex-col gap-1">
      <span className="tabular">{valueWords(measure, value)} <span className="text-faint">{percent(share)}</span></span>
      <span role="meter" aria-label="Share of the budget" aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.min(Math.round(share * 100), 100)} className="h-1.5 w-28 overflow-hidden rounded-full bg-sunken">
        <span className={cn('block h-full rounded-full', share >= 1 ? 'bg-bad' : 'bg-accent')} style={{ width: `${Math.min(share * 100, 100)}%` }} />
      </span>
      {forecast !== null && <span className="tabular text-xs text-faint">forecast {valueWords(measure, forecast)}</span>}
    </span>
  )
}

function AlertMenu({ alert, onEdit, onHistory }: { alert: Alert } & RowActions) {
  const { setEnabled, remove } = useAlertActions()
  return (
    <Menu trigger={<IconButton small label={`Actions for ${alert.name}`}><Ellipsis /></IconButton>}>
      <MenuItem onSelect={() => onEdit(alert)}><Pencil /> Edit</MenuItem>
      <MenuItem onSelect={() => onHistory(alert)}><HistoryIcon /> Show history</MenuItem>
      <MenuItem onSelect={() => void setEnabled(alert, !alert.enabled)}><Power /> {alert.enabled ? 'Disable' : 'Enable'}</MenuItem>
      <MenuItem danger onSelect={() => void remove(alert)}><Trash2 /> Delete</MenuItem>
    </Menu>
  )
}
