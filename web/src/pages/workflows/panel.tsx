import { PanelRightClose, PanelRightOpen, X } from 'lucide-react'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'

const remembered = 'promptuary.workflow-panel'
const Width = createContext<{ wide: boolean; setWide: (wide: boolean) => void }>({ wide: false, setWide: () => undefined })

/** The panel beside the graph, or below it on phones. Its width is remembered. */
export function Panel({ label, children }: { label: string; children: ReactNode }) {
  const [wide, setWideState] = useState(() => localStorage.getItem(remembered) === 'wide')
  const setWide = (on: boolean) => {
    localStorage.setItem(remembered, on ? 'wide' : 'narrow')
    setWideState(on)
  }
  return (
    <aside
      aria-label={label}
      className={cn('flex max-h-[62%] w-full shrink-0 flex-col border-line bg-surface max-md:border-t md:max-h-none md:border-l', wide ? 'md:w-[min(46rem,58%)]' : 'md:w-[26rem]')}
    >
      <Width.Provider value={{ wide, setWide }}>{children}</Width.Provider>
    </aside>
  )
}

/** The header of the panel. */
export function PanelHead({ title, about, icon, onClose }: { title: string; about?: string; icon: ReactNode; onClose: () => void }) {
  const { wide, setWide } = useContext(Width)
  return (
    <header className="flex items-start gap-2.5 border-b border-line px-4 py-2.5">
      <span className="mt-1">{icon}</span>
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">{title}</h2>
        {about && <p className="text-[13px] text-faint">{about}</p>}
      </div>
      <IconButton small className="max-md:hidden" label={wide ? 'Shrink panel' : 'Widen panel'} onClick={() => setWide(!wide)}>
        {wide ? <PanelRightClose /> : <PanelRightOpen />}
      </IconButton>
      <IconButton small label="Close panel" onClick={onClose}>
        <X />
      </IconButton>
    </header>
  )
}
