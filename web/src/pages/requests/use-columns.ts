import { useMemo } from 'react'
import { defaultColumns } from './columns'

const remembered = 'promptuary.requests.columns'

/**
 * The columns of the URL, else those last chosen in this browser, else the
 * default ones; and a function to change them.
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
