import { describe, expect, it } from 'vitest'
import { exportAddress, type ExportChoice } from './address'

const source = { path: '/api/public/v2/requests/export', workspace: 3, parameters: { query: '{"q":"a b"}', actor: undefined }, columns: ['id', 'price', 'input'] }
const all: ExportChoice = { format: 'jsonl', compression: 'none', columns: new Set(source.columns), keepFormulas: true }

describe('exportAddress', () => {
  it('has the query, and no columns if all are chosen', () => {
    expect(exportAddress(source, all)).toBe('/api/public/v2/requests/export?workspace_id=3&format=jsonl&compression=none&query=%7B%22q%22%3A%22a+b%22%7D')
  })

  it('lists columns in the order of the file', () => {
    const address = exportAddress(source, { ...all, columns: new Set(['price', 'id']) })
    expect(new URLSearchParams(address.split('?')[1]).get('columns')).toBe('id,price')
  })

  it('keeps formulas of CSV only', () => {
    expect(exportAddress(source, all)).not.toContain('formulas')
    expect(exportAddress(source, { ...all, format: 'csv' })).toContain('formulas=keep')
    expect(exportAddress(source, { ...all, format: 'csv', keepFormulas: false })).not.toContain('formulas')
  })
})
