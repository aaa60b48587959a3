import { X } from 'lucide-react'
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { ConfirmProvider } from './dialog'

interface Message {
  id: number
  text: string
  bad: boolean
}

interface Toasts {
  /** Shows a success message. */
  done: (text: string) => void
  /** Shows why something failed, with the server's message. */
  failed: (error: unknown) => void
}

const Context = createContext<Toasts>({ done: () => undefined, failed: () => undefined })

/** Returns the functions that show messages in a corner of the page. */
export function useToast(): Toasts {
  return useContext(Context)
}

let lastId = 0

/**
 * Renders the messages of useToast. They take neither the focus nor the Escape
 * key, which belongs to the open dialog.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([])
  const add = useCallback((text: string, bad: boolean) => setMessages((old) => [...old.slice(-3), { id: ++lastId, text, bad }]), [])
  const [toasts] = useState<Toasts>({
    done: (text) => add(text, false),
    failed: (error) => add(error instanceof Error ? error.message : String(error), true),
  })
  const remove = useCallback((id: number) => setMessages((old) => old.filter((message) => message.id !== id)), [])
  return (
    <Context.Provider value={toasts}>
      <ConfirmProvider>{children}</ConfirmProvider>
      {/* Above the dialog overlay, which captures clicks. */}
      <div role="log" aria-label="Messages" aria-live="polite" className="pointer-events-none fixed right-4 bottom-4 z-[60] flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
        {messages.map((message) => (
          <Toast key={message.id} message={message} onClose={remove} />
        ))}
      </div>
    </Context.Provider>
  )
}

/** A message that disappears by itself, later for errors, and not while the pointer is over it. */
function Toast({ message, onClose }: { message: Message; onClose: (id: number) => void }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => onClose(message.id), message.bad ? 12_000 : 4000)
    return () => clearTimeout(timer)
  }, [held, message, onClose])
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      className={cn('pointer-events-auto flex items-start gap-3 rounded-md border border-line border-l-4 bg-surface p-3 shadow-pop', message.bad ? 'border-l-bad' : 'border-l-accent')}
    >
      <p className="min-w-0 flex-1 break-words">{message.text}</p>
      <button type="button" aria-label="Dismiss" onClick={() => onClose(message.id)} className="text-faint hover:text-ink">
        <X className="size-4" />
      </button>
    </div>
  )
}
