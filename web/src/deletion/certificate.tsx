import { Download } from 'lucide-react'
import { download } from '@/lib/download'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { ErrorState, Loading } from '@/ui/page'
import { type Deletion, useDeletion } from './data'
import { facts, isActive } from './words'

/** Saves a deletion as the API returns it. */
export function downloadCertificate(one: Deletion): void {
  download(`deletion-${one.id}.json`, new Blob([JSON.stringify(one, null, 2), '\n'], { type: 'application/json' }))
}

/** What a deletion has deleted. */
export function Certificate({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: one, error, refetch } = useDeletion(id)
  return (
    <Dialog
      open
      title={`Deletion ${id}`}
      description={one && isActive(one) ? 'It is still going on. The certificate is complete once it has ended.' : 'The certificate of what was deleted.'}
      onOpenChange={(open) => { if (!open) onClose() }}
      footer={one && <Button onClick={() => downloadCertificate(one)}><Download /> Download as JSON</Button>}
    >
      {one ? <Facts one={one} /> : error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading />}
    </Dialog>
  )
}

export function Facts({ one }: { one: Deletion }) {
  return (
    <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[9rem_1fr]">
      {facts(one).map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-faint max-sm:mt-1">{label}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
