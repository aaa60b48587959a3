import { Search } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'

const nothing = { text: '', from: 0, to: 0 }

// The typed text and its selection. The field and the dialog never exist at the
// same time, so neither can hold it.
let typed = nothing

export function typedSoFar() {
  return typed
}

export function forgetTyped(): void {
  typed = nothing
}

export const paletteFrame = 'fixed top-[max(0.5rem,12dvh)] left-1/2 z-50 w-[calc(100vw-1rem)] max-w-2xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-surface shadow-pop focus:outline-none max-md:top-2'
export const paletteInput = 'h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint md:text-[15px]'
export const palettePlaceholder = 'Search prompts, workflows, datasets, settings, or enter a request ID'

/** The search field of the palette while its dialog loads. It hands over what was typed. */
export function PaletteOpening({ onClose }: { onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const element = field.current
    element?.focus()
    // Keep the last caret position, whatever moved it.
    const keep = () => {
      if (element) typed = { text: element.value, from: element.selectionStart ?? 0, to: element.selectionEnd ?? 0 }
    }
    const events = ['input', 'keyup', 'select', 'click'] as const
    for (const event of events) element?.addEventListener(event, keep)
    return () => {
      for (const event of events) element?.removeEventListener(event, keep)
    }
  }, [])
  return (
    <>
      <div aria-hidden className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" onClick={onClose} />
      <div role="dialog" aria-label="Search everything" aria-busy className={paletteFrame}>
        <div className="flex items-center gap-2.5 px-4">
          <Search aria-hidden className="size-4 shrink-0 text-faint" />
          <input
            ref={field}
            aria-label="Search everything"
            placeholder={palettePlaceholder}
            autoComplete="off"
            spellCheck={false}
            onKeyDown={(event) => { if (event.key === 'Escape') onClose() }}
            className={paletteInput}
          />
        </div>
      </div>
    </>
  )
}
