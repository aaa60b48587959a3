import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

/** Accepts files dropped anywhere on the page, with a hint while they are dragged over it. */
export function DropArea({ onDrop, words }: { onDrop: (transfer: DataTransfer) => void; words: string }) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onDrop)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => {
      // The pointer left the window, not just an element.
      if (event.relatedTarget === null) setOver(false)
    }
    const onDropped = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(false)
      if (event.dataTransfer) take(event.dataTransfer)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDropped)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDropped)
    }
  }, [])
  if (!over) return null
  return (
    <div aria-hidden className="pointer-events-none fixed inset-3 z-50 grid place-items-center rounded-xl border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--accent-soft)_88%,transparent)] text-accent-ink">
      <p className="flex flex-col items-center gap-2 px-4 text-center text-base font-medium"><FileUp className="size-8" /> {words}</p>
    </div>
  )
}
