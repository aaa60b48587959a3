import { useState } from 'react'
import { Checkbox } from '@/ui/field'

/** The columns that rows made from requests can have, besides their input variables. */
const choices = [
  { names: ['request_url'], label: 'Link to the request' },
  { names: ['input'], label: 'Input' },
  { names: ['output'], label: 'Output' },
  { names: ['status', 'error_type', 'error_message'], label: 'Status and error' },
  { names: ['provider', 'model'], label: 'Provider and model' },
  { names: ['start_time', 'latency_ms'], label: 'Start and latency' },
  { names: ['cost', 'input_tokens', 'output_tokens'], label: 'Cost and tokens' },
  { names: ['scores'], label: 'Scores' },
  { names: ['tags'], label: 'Tags' },
  { names: ['metadata'], label: 'Metadata' },
] as const

export type LogColumn = (typeof choices)[number]['names'][number]

const key = 'promptuary.dataset-columns'

function remembered(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(stored) ? stored.filter((label) => choices.some((one) => one.label === label)).map(String) : choices.map(({ label }) => label)
  } catch {
    return choices.map(({ label }) => label)
  }
}

/** The chosen columns, remembered in the browser. All are chosen at first, so that a row keeps the reason for which it was collected. */
export function useLogColumns() {
  const [labels, setLabels] = useState(remembered)
  const choose = (label: string, on: boolean) => {
    const next = on ? [...labels, label] : labels.filter((one) => one !== label)
    setLabels(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  const columns = choices.filter(({ label }) => labels.includes(label)).flatMap(({ names }): LogColumn[] => [...names])
  return { labels, choose, columns }
}

export function LogColumnChoice({ labels, choose }: Pick<ReturnType<typeof useLogColumns>, 'labels' | 'choose'>) {
  return (
    <fieldset>
      <legend className="mb-1 text-[13px] font-medium text-dim">Columns</legend>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-1">
        {choices.map(({ label, names }) => (
          <li key={label}>
            <label className="inline-flex items-center gap-2 text-[13px]" title={names.join(', ')}><Checkbox checked={labels.includes(label)} onChange={(event) => choose(label, event.target.checked)} /> {label}</label>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-[13px] text-faint">{labels.length === 0 ? 'Choose at least one column.' : 'Input variables are added as columns, too.'}</p>
    </fieldset>
  )
}
