import { useEffect, useState } from 'react'
import type { QueryState } from '@/query/state'
import { rangeWords } from '@/query/time-range'
import { ChartView } from '../chart-view'
import type { ChartDefinition } from '../model/definition'

/** A preview of the chart, shortly after the last change. */
export function Preview({ chart, problem, state }: { chart: ChartDefinition | null; problem: string | null; state: QueryState }) {
  const settled = useSettled(chart)
  const shown = chart === null ? null : settled
  return (
    <section aria-label="Preview" className="flex min-h-80 flex-col rounded-lg border border-line p-4">
      <header className="mb-2 flex items-baseline justify-between gap-3">
        <h3 className="min-w-0 truncate text-[13px] font-semibold">{chart?.title ?? 'Preview'}</h3>
        <p className="shrink-0 text-xs text-faint">{rangeWords(state)}</p>
      </header>
      {shown === null ? <p className="grid flex-1 place-items-center text-faint">{problem}</p> : <ChartView chart={shown} state={state} actions={{}} height={220} />}
    </section>
  )
}

/** Debounces a value, compared by content. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), 250)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
