import { seconds } from '../model/units'
import { Select } from '@/ui/field'
import type { Answer } from '../model/answers'
import type { GroupField } from '@/query/fields'
import type { ChartDefinition } from '../model/definition'
import type { Part } from '../model/pick'
import { partOf, textAt, valueAt } from '../model/rows'
import type { Ranking } from '../search'
import { errorTypeChart, rankingChart } from './charts'
import type { Analytics } from './data'
import { RankingCard, type RankedItem } from './ranking-card'
import { ToolCard } from './tool-card'

interface Props {
  payload: Analytics
  models: Answer | undefined
  errors: Answer | undefined
  rank: Ranking
  metadataKey: string | undefined
  onMetadataKey: (key: string | undefined) => void
  onNarrow: (parts: Part[]) => void
  onAdd?: (chart: ChartDefinition) => void
}

const measures = {
  requests: { metric: 'count' },
  cost: { metric: 'sum', metricField: 'cost' },
  tokens: { metric: 'sum', metricField: 'input_tokens' },
} as const

/** The breakdown of the requests. Clicking an item filters by it. */
export function Rankings({ payload, models, errors, rank, metadataKey, onMetadataKey, onNarrow, onAdd }: Props) {
  const common = { rank, onNarrow, onAdd }
  const names = new Map((payload.mostUsedPromptTemplates ?? []).map(({ promptId = '', promptName }) => [promptId, promptName ?? promptId]))
  const usage = <Item extends { requests?: number; cost?: number; tokens?: number }>({ requests = 0, cost, tokens }: Item) => ({ requests, cost, tokens })
  const card = (title: string, field: GroupField, items: RankedItem[], empty: string) => (
    <RankingCard {...common} title={title} items={items} empty={empty} chart={rankingChart(`${title} by ${rank}`, field, measures[rank])} />
  )
  return (
    <div className="grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3">
      {card('Models', 'engine', modelItems(payload, models), 'No requests with a model')}
      {card('Providers', 'provider_type', (payload.providerBreakdown ?? []).map((one) => item('provider_type', one.provider, usage(one))), 'No requests with a provider')}
      {card('Prompts', 'prompt_id', (payload.promptBreakdown ?? []).map((one) => item('prompt_id', one.promptId, usage(one), names.get(one.promptId ?? ''))), 'No requests with a prompt')}
      {card('Tags', 'tags', (payload.tagsBreakdown ?? []).map((one) => item('tags', one.tag, usage(one))), 'No requests with tags')}
      <RankingCard {...common} title="Error types" items={errorItems(errors)} empty="No errors" chart={{ ...errorTypeChart, id: 'ranking', chartType: 'bar', limit: 10 }} />
      <ToolCard {...common} payload={payload} format={seconds} />
      {card('Metadata keys', 'metadata_keys', (payload.metadataKeysTop ?? []).map((one) => item('metadata_keys', one.key, usage(one))), 'No requests with metadata')}
      <RankingCard
        {...common}
        title="Metadata values"
        items={(payload.metadataValueBreakdown ?? []).map(({ key = '', value = '', label = '', requests = 0, cost }) => ({ name: label || '(empty)', parts: [{ group: { key }, value, label: value }], requests, cost }))}
        empty="No requests with metadata"
        chart={rankingChart(`${metadataKey ?? 'Metadata values'} by ${rank}`, { key: metadataKey ?? payload.metadataKeysTop?.[0]?.key ?? 'user_id' }, measures[rank])}
        head={<KeySelect keys={(payload.metadataKeysTop ?? []).map(({ key = '' }) => key)} value={metadataKey} onChange={onMetadataKey} />}
      />
      {card('JSON output keys', 'output_keys', (payload.outputKeysTop ?? []).map((one) => item('output_keys', one.key, usage(one))), 'No requests with JSON output')}
    </div>
  )
}

function KeySelect({ keys, value, onChange }: { keys: string[]; value: string | undefined; onChange: (key: string | undefined) => void }) {
  const all = value === undefined || keys.includes(value) ? keys : [value, ...keys]
  return (
    <Select aria-label="Metadata key" className="h-6 max-w-36 text-[13px]" value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">All keys</option>
      {all.map((key) => <option key={key}>{key}</option>)}
    </Select>
  )
}

function item(field: GroupField, value: string | undefined, usage: Omit<RankedItem, 'name' | 'parts'>, label = value): RankedItem {
  return { name: label ?? '', parts: [{ group: { field }, value: value ?? '', label: label ?? '' }], ...usage }
}

/** Combines the request counts of the response with the cost and tokens of the chart. */
function modelItems({ mostUsedModels = [] }: Analytics, chart: Answer | undefined): RankedItem[] {
  const rows = new Map((chart?.data ?? []).map((row) => [textAt(row, 'label'), row]))
  return mostUsedModels.map(([name, requests]) => {
    const model = String(name)
    const row = rows.get(model)
    const known = row === undefined ? {} : { cost: valueAt(row, 'cost') ?? 0, tokens: (valueAt(row, 'input') ?? 0) + (valueAt(row, 'output') ?? 0) }
    const found = item('engine', model, { requests: Number(requests), ...known })
    // Requests without a model are counted under a name that no filter matches.
    return model === 'unknown' && row === undefined ? { ...found, parts: [] } : found
  })
}

/** Clicking a type filters by its errors, without the warnings of the same type. */
function errorItems(chart: Answer | undefined): RankedItem[] {
  return (chart?.data ?? []).map((row) => {
    const type = partOf(errorTypeChart, row)
    return { name: textAt(row, 'label'), parts: type.length === 0 ? [] : [...type, { group: { field: 'status' }, value: 'ERROR', label: 'ERROR' }], requests: valueAt(row, 'value') ?? 0 }
  })
}
