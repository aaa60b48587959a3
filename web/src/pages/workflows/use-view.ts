import { useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'

const wide = window.matchMedia('(min-width: 768px)')

function listen(changed: () => void) {
  wide.addEventListener('change', changed)
  return () => wide.removeEventListener('change', changed)
}

/** Whether nodes are shown as a graph or a list: as the URL says, or what fits the screen. */
export function useView(): 'graph' | 'list' {
  const { view } = useSearch({ from: '/$workspace/workflows/$workflow' })
  const isWide = useSyncExternalStore(listen, () => wide.matches)
  return view ?? (isWide ? 'graph' : 'list')
}
