import { expect, it } from 'vitest'
import { kindOf } from './kind'

it.each([
  [7, null, null, 'model'], [7, 'TOOL', 'search', 'model'], [null, null, null, 'other'], [null, 'TOOL', null, 'tool'], [null, 'execute_tool', null, 'tool'], [null, null, 'search', 'tool'],
  [null, 'AGENT', null, 'agent'], [null, 'WORKFLOW', null, 'agent'], [null, 'CHAIN', null, 'agent'], [null, 'LLM', null, 'model'], [null, 'LLM_CALL', null, 'model'], [null, 'PROMPT_TEMPLATE', null, 'other'],
] as const)('a span with request %s, type %s and tool %s is: %s', (request_log_id, type, tool_name, kind) => expect(kindOf({ request_log_id, type, tool_name })).toBe(kind))
