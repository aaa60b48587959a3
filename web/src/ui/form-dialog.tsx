import { useId, type FormEvent, type ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Button } from './button'
import { Dialog } from './dialog'

interface FormDialogProps {
  title: string
  description?: ReactNode
  size?: 'narrow' | 'normal' | 'wide'
  /** The label of the button that submits the form, null for a form that can only be read. */
  action: string | null
  /** The label of the other button, `Cancel` or `Close` if omitted. */
  cancel?: string
  look?: 'primary' | 'danger'
  /** Whether the form is being sent. */
  busy?: boolean
  /** Whether the form can be sent. */
  ready?: boolean
  /** Why the form cannot be sent, as the tooltip of the button. */
  reason?: string
  /** Why sending has failed, unless a field shows it. */
  error?: Error | null
  /** Rendered at the left of the buttons, and between Cancel and the button that submits. */
  aside?: ReactNode
  more?: ReactNode
  /** The layout of the fields, if they are not one column. */
  className?: string
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with a form. Its button and Enter submit the form; Escape and Cancel close the dialog. It is open while it is rendered. */
export function FormDialog({ action, cancel = action === null ? 'Close' : 'Cancel', look = 'primary', busy = false, ready = true, reason, error, aside, more, className, onSubmit, onClose, children, ...rest }: FormDialogProps) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a popover of this one is outside of it on the page, but React passes its events on.
    if (event.target === event.currentTarget && action !== null && ready && !busy) onSubmit()
  }
  return (
    <Dialog
      {...rest}
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          {aside}
          <Button onClick={onClose}>{cancel}</Button>
          {more}
          {action !== null && <Button type="submit" form={id} look={look} busy={busy} disabled={!ready} title={reason}>{action}</Button>}
        </>
      }
    >
      <form id={id} onSubmit={submit} className={cn('flex flex-col gap-4 pb-1', className)}>
        {children}
        {error && <FormError error={error} />}
      </form>
    </Dialog>
  )
}

/** The server's answer to a form that it refused. */
function FormError({ error }: { error: Error }) {
  return <p role="alert" className="col-span-full text-[13px] whitespace-pre-line text-bad">{error.message}</p>
}
