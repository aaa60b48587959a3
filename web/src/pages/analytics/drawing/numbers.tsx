import type { Answer } from '../model/answers'
import { valueAt } from '../model/rows'
import { formatOf, plainNumber } from '../model/units'
import type { DrawingProps } from './types'

/** The measures over all matching requests, as large numbers. */
export function Numbers({ answer }: DrawingProps) {
  const row = answer.data[0] ?? {}
  return (
    <>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 py-1">
        {answer.series.map(({ key, label, unit }) => {
          const value = valueAt(row, key)
          return (
            <div key={key}>
              <dt className="text-[13px] text-faint">{label}</dt>
              <dd className="tabular text-2xl font-semibold">{value === null ? '–' : formatOf(unit)(value)}</dd>
            </div>
          )
        })}
      </dl>
      <Ratios answer={answer} />
    </>
  )
}

/** The ratios of totals, if the chart has any. */
export function Ratios({ answer }: { answer: Answer }) {
  const ratios = answer.derivedInsights ?? []
  if (ratios.length === 0) return null
  return (
    <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-2 text-[13px]">
      {ratios.map(({ label, value }, index) => (
        <div key={index} className="flex gap-2">
          <dt className="text-dim">{label}</dt>
          <dd className="tabular font-medium">{value === null ? '–' : plainNumber(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
