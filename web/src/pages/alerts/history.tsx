import { cn } from '@/lib/cn'
import { count, dateTime } from '@/lib/format'
import { Badge } from '@/ui/badge'
import { Dialog } from '@/ui/dialog'
import { EmptyState, LoadError, Loading } from '@/ui/page'
import { Pager, SimpleTable } from '@/ui/table'
import { useHistory } from './alert-data'
import { type Alert, type Change, conditionWords, stateWords, tones, valueWords } from './alert-form'

/** When the state of an alert changed. */
export function History({ alert, page, onPage, onClose }: { alert: Alert; page: number; onPage: (page: number) => void; onClose: () => void }) {
  const list = useHistory(alert.id, page)
  return (
    <Dialog open size="wide" title={`History of ${alert.name}`} description={conditionWords(alert)} onOpenChange={(open) => { if (!open) onClose() }}>
      {list.isPending && <Loading />}
      {list.isError && <LoadError what="alert" error={list.error} retry={() => void list.refetch()} />}
      {list.data && (
        <div className={cn('rounded-lg border border-line', list.isPlaceholderData && 'opacity-60')}>
          {list.data.changes.length > 0 ? <Changes changes={list.data.changes} alert={alert} /> : <EmptyState title="No changes yet">The first evaluation will appear here.</EmptyState>}
          <Pager page={list.data.page} pages={list.data.pages} total={list.data.total} noun="changes" onPage={onPage} />
        </div>
      )}
    </Dialog>
  )
}

function Changes({ changes, alert }: { changes: Change[]; alert: Alert }) {
  return (
    <SimpleTable
      label="Changes"
      rows={changes}
      rowKey={({ id }) => id}
      columns={[
        { header: 'When', cell: ({ at }) => dateTime(at), className: 'tabular whitespace-nowrap text-dim max-sm:px-2' },
        { header: 'State', cell: ({ state, level }) => <Badge tone={tones[state]}>{stateWords(state, level)}</Badge>, className: 'max-sm:px-2' },
        { header: 'Value', cell: ({ value, error }) => error ?? (value === null ? '–' : valueWords(alert.measure, value)), className: 'tabular max-sm:px-2' },
        { header: 'Requests', cell: ({ requests }) => count(requests), className: 'hidden sm:table-cell text-right tabular' },
      ]}
    />
  )
}
