import type { NodeResult } from '../data'

/** The result of a node in one line. */
export function preview(result: NodeResult): string {
  switch (result.status) {
    case 'SUCCESS':
      return valueText(result.value)
    case 'FAILED':
      return result.error_message ?? 'failed'
    default:
      return (result.retries ?? 0) > 0 ? `retry ${result.retries}` : result.status.toLowerCase()
  }
}

const longest = 300

/** A value in one line. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > longest ? text.slice(0, longest) + '…' : text
}
