import { expect, it } from 'vitest'
import { hasColumn, valuesOfRow } from './row-values'

it('fills variables from columns with the same name', () => {
  const columns = ['city', 'variable.name', 'name', 'tags', 'other']
  expect(valuesOfRow(['city', 'name', 'tags', 'missing'], columns, ['Bern', 'Ann', null, ['a'], 1])).toEqual({ city: 'Bern', name: 'Ann', tags: '["a"]' })
  expect(['name', 'missing'].map((name) => hasColumn(name, columns))).toEqual([true, false])
})
