import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ConfirmProvider } from './dialog'

interface Message {
  id: number
  text: string
  bad: boolean
}

interface Toasts {
  /** Says that something was done. */
  done: (text: string) => void
  /** Says why something was not done, in the words of the server. */
  failed: (error: unknown) => void
}

const Context = createContext<Toasts>({ done: () => undefined, failed: () => undefined })

/** Returns the functions that say in a corner of the page what happened. */
export function useToast(): Toasts {
  return useContext(Context)
}

let lastId = 0

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([])
  const add = useCallback((text: string, bad: boolean) => setMessages((old) => [...old.slice(-3), { id: ++lastId, text, bad }]), [])
  const [toasts] = useState<Toasts>({
    done: (text) => add(text, false),
    failed: (error) => add(error instanceof Error ? error.message : String(error), true),
  })
  return (
    <Radix.Provider swipeDirection="right" duration={5000}>
      <Context.Provider value={toasts}>
        <ConfirmProvider>{children}</ConfirmProvider>
      </Context.Provider>
      {messages.map((message) => (
        <Radix.Root
          key={message.id}
          duration={message.bad ? 12_000 : 4000}
          onOpenChange={(open) => !open && setMessages((old) => old.filter(({ id }) => id !== message.id))}
          className={cn('flex items-start gap-3 rounded-md border border-line border-l-4 bg-surface p-3 shadow-pop', message.bad ? 'border-l-bad' : 'border-l-accent')}
        >
          <Radix.Description className="min-w-0 flex-1 break-words">{message.text}</Radix.Description>
          <Radix.Close aria-label="Close" className="text-faint hover:text-ink">
            <X className="size-4" />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-[60] flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 focus:outline-none" />
    </Radix.Provider>
  )
}
