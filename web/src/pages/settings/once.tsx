import { useState, type ReactNode } from 'react'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { Dialog, useConfirm } from '@/ui/dialog'
import { Input } from '@/ui/field'

/**
 * A dialog with a secret that is shown only once. Asks for confirmation before
 * closing if the secret was not copied.
 */
export function ShownOnce({ title, noun, secret, onClose, children }: {
  title: string
  /** The kind of secret, such as "key". */
  noun: string
  secret: string
  onClose: () => void
  children?: ReactNode
}) {
  const confirm = useConfirm()
  const [copied, setCopied] = useState(false)
  const close = async () => {
    const leave = copied || await confirm({
      title: `Close without copying the ${noun}?`,
      body: `It cannot be shown again. You would have to create a new one.`,
      action: 'Close',
      danger: true,
    })
    if (leave) onClose()
  }
  const field = (
    <div className="flex items-center gap-2" onCopy={() => setCopied(true)}>
      <Input readOnly aria-label={`New ${noun}`} value={secret} onFocus={(event) => event.target.select()} className="bg-sunken font-mono text-xs" />
      <span onClickCapture={() => setCopied(true)}>
        <CopyButton text={secret} words="Copy" label={`Copy ${noun}`} className="h-8" />
      </span>
    </div>
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => { if (!open) void close() }}
      title={title}
      description={`Copy the ${noun} now. It will not be shown again.`}
      footer={<Button look="primary" onClick={() => void close()}>Done</Button>}
    >
      <div className="flex flex-col gap-4" onCopy={() => setCopied(true)}>
        {field}
        {children}
      </div>
    </Dialog>
  )
}
