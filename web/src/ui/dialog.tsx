import { X } from 'lucide-react'
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui'
import { createContext, useCallback, useContext, useRef, useState, type ReactNode, type Ref } from 'react'
import { cn } from '@/lib/cn'
import { Button, IconButton } from './button'
import { useReturnFocus } from './return-focus'

const overlay = 'fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]'
const frame = 'fixed z-50 border border-line bg-surface shadow-pop focus:outline-none'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** The maximum width: `narrow` for a question, `wide` for an editor. */
  size?: 'narrow' | 'normal' | 'wide'
  footer?: ReactNode
}

const widths = { narrow: 'max-w-md', normal: 'max-w-xl', wide: 'max-w-5xl' }

/** Text fields come first: a choice above them usually has a good default. */
const fields = ['input:not([type=radio], [type=checkbox], [type=hidden], [type=file]), textarea, select, [role=combobox], [contenteditable=true]', 'input, button, a[href]']

/** Moves the focus to the first field of a dialog. Radix would choose the close button, which comes first. */
function focusFirstField(event: Event) {
  const content = event.currentTarget
  if (!(content instanceof HTMLElement) || content.contains(document.activeElement)) return
  const body = content.querySelector('[data-dialog-body]')
  const field = fields.flatMap((selector) => [...(body?.querySelectorAll<HTMLElement>(selector) ?? [])]).find((one) => !one.matches(':disabled') && one.checkVisibility())
  if (field === undefined) return
  event.preventDefault()
  field.focus()
}

/** A modal dialog. Escape closes it. The first field has the focus, unless another one has autoFocus. */
export function Dialog({ open, onOpenChange, title, description, children, size = 'normal', footer }: DialogProps) {
  const returnFocus = useReturnFocus(open)
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          {...returnFocus}
          onOpenAutoFocus={focusFirstField}
          className={cn(frame, 'top-1/2 left-1/2 flex max-h-[90dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg', widths[size])}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
            <div>
              <RadixDialog.Title className="text-base font-semibold">{title}</RadixDialog.Title>
              {description && <RadixDialog.Description className="mt-1 text-dim">{description}</RadixDialog.Description>}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close" small>
                <X />
              </IconButton>
            </RadixDialog.Close>
          </header>
          <div data-dialog-body className="min-h-0 flex-1 overflow-auto px-5 py-2">{children}</div>
          {footer && <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
          {!footer && <div className="h-3" />}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

/**
 * A panel over the right side of the page, for the item selected in a list. The
 * list behind it stays usable.
 */
export function SidePanel({ open, onOpenChange, title, children, className, onKeyDown, ref, onOpened, onClosed }: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  children: ReactNode
  className?: string
  onKeyDown?: (event: React.KeyboardEvent) => void
  /** The panel element, which can be focused. */
  ref?: Ref<HTMLDivElement>
  /** Called when the panel has opened and when it has closed, to move the focus. By default it stays where it is. */
  onOpened?: () => void
  onClosed?: () => void
}) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <RadixDialog.Portal>
        <RadixDialog.Content
          ref={ref}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            onOpened?.()
          }}
          onCloseAutoFocus={onClosed}
          // In a field, Escape ends editing instead of closing the panel.
          onEscapeKeyDown={(event) => (event.target as Element).closest('input,textarea,[contenteditable=true]') && event.preventDefault()}
          className={cn(frame, 'inset-y-0 right-0 z-30 flex w-full flex-col border-y-0 border-r-0 md:w-[min(760px,62vw)]', className)}
        >
          <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

interface Question {
  title: string
  /** What will happen, naming what is replaced or lost. */
  body: ReactNode
  /** The label of the confirming button. */
  action: string
  danger?: boolean
}

const Ask = createContext<(question: Question) => Promise<boolean>>(() => Promise.resolve(false))

/** Returns a function that asks for confirmation and resolves to the answer. */
export function useConfirm() {
  return useContext(Ask)
}

/** Renders the dialogs of useConfirm. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null)
  const answer = useRef<(yes: boolean) => void>(() => undefined)
  const returnFocus = useReturnFocus(question !== null)
  const ask = useCallback((next: Question) => {
    setQuestion(next)
    return new Promise<boolean>((resolve) => {
      answer.current = resolve
    })
  }, [])
  const close = (yes: boolean) => {
    answer.current(yes)
    setQuestion(null)
  }
  return (
    <Ask.Provider value={ask}>
      {children}
      <RadixAlert.Root open={question !== null} onOpenChange={(open) => !open && close(false)}>
        <RadixAlert.Portal>
          <RadixAlert.Overlay className={overlay} />
          <RadixAlert.Content {...returnFocus} className={cn(frame, 'top-1/2 left-1/2 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 rounded-lg p-5')}>
            <RadixAlert.Title className="text-base font-semibold">{question?.title}</RadixAlert.Title>
            <RadixAlert.Description asChild>
              <div className="mt-2 text-dim">{question?.body}</div>
            </RadixAlert.Description>
            <div className="mt-5 flex justify-end gap-2">
              <RadixAlert.Cancel asChild>
                <Button>Cancel</Button>
              </RadixAlert.Cancel>
              <Button look={question?.danger ? 'danger' : 'primary'} onClick={() => close(true)}>
                {question?.action}
              </Button>
            </div>
          </RadixAlert.Content>
        </RadixAlert.Portal>
      </RadixAlert.Root>
    </Ask.Provider>
  )
}
