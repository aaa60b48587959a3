import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { count } from '@/lib/format'
import { QueryBar } from '@/query/query-bar'
import { queryError, requestBody, type QueryState } from '@/query/state'
import { TimeRange } from '@/query/time-range'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { SimpleTable } from '@/ui/table'
import { usePreview, useStartRepricing } from './repricing-data'
import { changeWords, keptWords, withoutPrice } from './repricing-words'

type Preview = Schemas['RepricingPreview']

/** Selects requests, shows what would change, and starts a re-pricing. */
export function RepricingDialog({ onClose, onStarted }: { onClose: () => void; onStarted: () => void }) {
  const [state, setState] = useState<QueryState>(withoutPrice)
  const [sent, setSent] = useState(false)
  const preview = usePreview()
  const start = useStartRepricing()
  const change = (act: () => void) => {
    act()
    preview.reset() // it was for something else
    start.reset()
  }
  const body = () => ({ ...requestBody(state), include_sent_prices: sent }) as Schemas['RepricingRequest']
  const valid = queryError(state) === null
  return (
    <FormDialog
      size="wide"
      title="Re-price requests"
      description="Computes the prices of logged requests again, at the prices that are set now. You can revert it later."
      action="Re-price"
      busy={start.isPending}
      ready={valid && preview.data !== undefined && preview.data.changed > 0}
      error={preview.error ?? start.error}
      more={<Button busy={preview.isPending} disabled={!valid} onClick={() => preview.mutate(body())}>Preview</Button>}
      className="gap-3"
      onSubmit={() => start.mutate(body(), { onSuccess: onStarted })}
      onClose={onClose}
    >
      <div className="flex flex-wrap items-start gap-2">
        <QueryBar className="flex-1 basis-72" state={state} onChange={(next) => change(() => setState(next))} />
        <TimeRange state={state} onChange={(next) => change(() => setState(next))} />
      </div>
      <label className="flex items-center gap-2">
        <Checkbox checked={sent} onChange={(event) => change(() => setSent(event.target.checked))} /> Also replace prices that clients sent
      </label>
      {preview.data ? <Result preview={preview.data} /> : <p className="text-faint">Preview the change before you make it.</p>}
    </FormDialog>
  )
}

function Result({ preview }: { preview: Preview }) {
  const kept = keptWords(preview)
  return (
    <section aria-label="Preview" className="flex flex-col gap-2">
      <p>
        <strong>{count(preview.changed)}</strong> of {count(preview.logs)} requests get another price: <strong className="tabular">{changeWords(preview)}</strong>
      </p>
      {kept !== '' && <p className="text-dim">{kept}.</p>}
      {!preview.complete && <p className="text-warn">The preview covers the first {count(preview.logs)} of {count(preview.total)} requests. All of them will be priced.</p>}
      {preview.models.length > 0 && (
        <div className="rounded-lg border border-line">
          <SimpleTable
            label="Models"
            rows={preview.models}
            rowKey={({ provider, model }) => `${provider} ${model}`}
            columns={[
              { header: 'Model', cell: ({ provider, model }) => <code className="font-mono text-xs">{provider} {model}</code> },
              { header: 'Changed', cell: ({ changed, logs }) => `${count(changed)} of ${count(logs)}`, className: 'text-right tabular' },
              { header: 'Total', cell: changeWords, className: 'text-right tabular' },
            ]}
          />
        </div>
      )}
    </section>
  )
}
