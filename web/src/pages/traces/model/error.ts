import { failed } from './tree'

interface Failing {
  span_id: string
  parent_id: string | null
  status: { status_code: string; description?: string | null }
  events: readonly Record<string, unknown>[]
}

const unknown = 'The span failed without a message.'

/** Why a span failed: its status, or its exception. */
export function errorOf({ status, events }: Failing): string {
  const exception = events.find(({ name }) => name === 'exception')?.attributes as Record<string, unknown> | undefined
  const words = [exception?.['exception.type'], exception?.['exception.message']].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return status.description || words || unknown
}

/** Why a trace failed: the error of its first failed span that names one. Undefined if no span failed. */
export function traceError(spans: readonly Failing[]): string | undefined {
  const errors = spans.filter(failed).map(errorOf)
  return errors.find((error) => error !== unknown) ?? errors[0]
}
