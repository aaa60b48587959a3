import { expect, it } from 'vitest'
import { kindOf } from './kind'

it.each([
  [7, {}, 'model'], [null, {}, 'other'], [null, { 'openinference.span.kind': 'TOOL' }, 'tool'], [null, { 'gen_ai.operation.name': 'execute_tool' }, 'tool'],
  [null, { 'tool.name': 'search' }, 'tool'], [null, { 'gen_ai.operation.name': 'invoke_agent' }, 'agent'], [null, { 'traceloop.span.kind': 'workflow' }, 'agent'],
  [null, { node_type: 'LLM' }, 'model'], [null, { node_type: { odd: true } }, 'other'],
] as const)('a span with request %s and %j is: %s', (request_log_id, attributes, kind) => expect(kindOf({ request_log_id, attributes })).toBe(kind))
