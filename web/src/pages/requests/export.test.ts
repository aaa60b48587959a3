import { expect, it, vi } from 'vitest'
import type { RequestItem } from '@/request/data'

vi.stubGlobal('window', { location: { origin: 'http://localhost' } })
const { toCsv } = await import('./export')

it('writes CSV that spreadsheets read but do not execute', () => {
  const row = {
    id: 1, request_start_time: '2026-01-01T00:00:00Z', status: 'ERROR', provider_type: 'openai', engine: 'gpt-4o', prompt_name: null, input_tokens: 1, output_tokens: 2, price: 0.5,
    latency: 1.5, error_message: '=bad, "worse"', tags_array: ['a', 'b'], scores: [{ name: 'default', score: 90 }], metadata: [{ env: 'prod' }, { deep: { x: 1 } }],
  } as unknown as RequestItem
  const [head, line] = toCsv([row]).split('\r\n')
  expect(head).toBe('id,request_start_time,status,provider_type,engine,prompt_name,prompt_version_number,input_tokens,output_tokens,price,latency,error_type,error_message,tags,score.default,metadata.deep,metadata.env')
  expect(line).toBe(`1,2026-01-01T00:00:00Z,ERROR,openai,gpt-4o,,,1,2,0.5,1.5,,"'=bad, ""worse""",a b,90,"{""x"":1}",prod`)
})
