import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={300}>{children}</Radix.Provider>
}

/** Shows a short text next to its child on hover and focus. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content sideOffset={5} collisionPadding={8} className="z-50 max-w-xs rounded bg-ink px-2 py-1 text-xs text-canvas shadow-pop">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
