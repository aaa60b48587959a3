import { duration, money } from '@/lib/format'

/** The cost and the median latency of requests in one line, '' without requests. */
export function showSpent({ requests, cost, latency_ms: latency }: { requests: number; cost: number | null; latency_ms: number | null }): string {
  if (requests === 0) return ''
  return [cost === null ? 'cost unknown' : money(cost), ...(latency === null ? [] : [duration(latency)])].join(' · ')
}

/** The versions of prompts and workflows that a column used, in one line, '' for none. */
export function showVersions(prompts: { prompt_id: number; version: number }[], workflows: { workflow_id: number; version: number }[]): string {
  const several = new Set([...prompts.map(({ prompt_id }) => `prompt ${prompt_id}`), ...workflows.map(({ workflow_id }) => `workflow ${workflow_id}`)]).size > 1
  const all = [
    ...workflows.map(({ workflow_id, version }) => (several ? `workflow ${workflow_id} v${version}` : `v${version}`)),
    ...prompts.map(({ prompt_id, version }) => (several ? `prompt ${prompt_id} v${version}` : `v${version}`)),
  ]
  return all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ')
}
