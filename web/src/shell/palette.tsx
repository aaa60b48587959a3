import { lazy, Suspense, useEffect, useState } from 'react'
import { useSession } from '@/api/session'
import { useShortcuts } from './shortcuts'
import { useRecentPlaces } from './use-recent'

const loadWindow = () => import('./palette-window')
const PaletteWindow = lazy(loadWindow)
const ShortcutsWindow = lazy(() => import('./shortcuts-window'))

/**
 * Finds any entity and any page by a part of its name, and listens for the
 * shortcuts. The windows are fetched when the first page has long been shown.
 */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const { workspace_id } = useSession()
  const [help, setHelp] = useState(false)
  const [used, setUsed] = useState({ palette: false, help: false })
  if ((open && !used.palette) || (help && !used.help)) setUsed({ palette: used.palette || open, help: used.help || help })
  useShortcuts(workspace_id, () => setHelp(true))
  useRecentPlaces(workspace_id)
  useEffect(() => {
    const timer = setTimeout(() => void loadWindow(), 5000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Suspense fallback={null}>
      {used.palette && <PaletteWindow open={open} onOpenChange={onOpenChange} onHelp={() => setHelp(true)} />}
      {used.help && <ShortcutsWindow open={help} onOpenChange={setHelp} />}
    </Suspense>
  )
}
