import { expect, it } from 'vitest'
import { promptsOf } from './prompts'

const column = (template: unknown) => ({ column_type: 'PROMPT_TEMPLATE', configuration: { template } })

it('finds each prompt once, in any configuration format', () => {
  expect(promptsOf([column({ name: 'a' }), column({ prompt_name: 'a' }), column({ id: 7, version_number: 2 }), column({ name: 'b', label: 'prod' })])).toEqual([
    { identifier: 'a' },
    { identifier: '7', version: 2 },
    { identifier: 'b', label: 'prod' },
  ])
})

it('ignores columns without a prompt from the registry', () => {
  expect(promptsOf([{ column_type: 'COUNT', configuration: { source: 'a' } }, column(null), column({ name: '' })])).toEqual([])
})
