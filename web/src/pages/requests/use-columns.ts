import { useMemo } from 'react'
import { defaultColumns } from './columns'

const remembered = 'promptuary.requests.columns'

/**
 * The columns of the address, else those that were chosen last in this
 * browser, else the usual ones; and a function to choose others.
 */
export function useColumnIds(address: string | undefined, onChange: (columns: string | undefined) => void): [string[], (ids: string[] | null) => void] {
  const text = address ?? localStorage.getItem(remembered) ?? ''
  const ids = useMemo(() => (text === '' ? defaultColumns : text.split(',')), [text])
  const choose = (next: string[] | null) => {
    if (next === null) localStorage.removeItem(remembered)
    else localStorage.setItem(remembered, next.join(','))
    onChange(next?.join(','))
  }
  return [ids, choose]
}
