import { expect, it } from 'vitest'
import { traceError } from './error'

const span = (status: string, description: string | null = null, events: Record<string, unknown>[] = []) => ({ span_id: 'a', parent_id: null, status: { status_code: `StatusCode.${status}`, description }, events })

it.each([
  [[span('OK', 'fine')], undefined],
  [[span('ERROR'), span('ERROR', 'too slow')], 'too slow'],
  [[span('ERROR', null, [{ name: 'exception', attributes: { 'exception.type': 'ValueError', 'exception.message': 'bad' } }])], 'ValueError: bad'],
  [[span('OK'), span('ERROR')], 'The span failed without a message.'],
])('the error of a trace (%#)', (spans, error) => expect(traceError(spans)).toBe(error))
