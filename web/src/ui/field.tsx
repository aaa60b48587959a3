import { Switch as RadixSwitch } from 'radix-ui'
import { useId, type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, type TextareaHTMLAttributes } from 'react'
import { cn } from '@/lib/cn'

const box = 'rounded-md border border-line-strong bg-surface text-ink placeholder:text-faint disabled:opacity-60 aria-invalid:border-bad'

export function Input({ className, ...rest }: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return <input className={cn(box, 'h-8 w-full min-w-0 px-2.5', className)} {...rest} />
}

export function Textarea({ className, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea className={cn(box, 'w-full min-w-0 px-2.5 py-1.5 leading-relaxed', className)} rows={3} {...rest} />
}

/** The browser's native select, which works with every keyboard and phone. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> }) {
  return <select className={cn(box, 'h-8 min-w-0 px-2', className)} {...rest} />
}

export function Checkbox({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) {
  return <input type="checkbox" className={cn('size-4 accent-(--accent)', className)} {...rest} />
}

export function Switch({ label, checked, onChange, disabled }: { label: string; checked: boolean; onChange: (on: boolean) => void; disabled?: boolean }) {
  return (
    <label className="inline-flex items-center gap-2">
      <RadixSwitch.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-label={label}
        className="h-[18px] w-8 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent"
      >
        <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-[15px]" />
      </RadixSwitch.Root>
      <span>{label}</span>
    </label>
  )
}

/** A labelled control with a hint or an error below it. The control gets the id. */
export function Field({ label, hint, error, className, children }: {
  label: string
  hint?: ReactNode
  error?: string | null
  className?: string
  children: (props: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode
}) {
  const id = useId()
  const below = error ?? hint
  return (
    <div className={cn('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-[13px] font-medium text-dim">
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': below ? `${id}-below` : undefined })}
      {below && (
        <p id={`${id}-below`} className={cn('text-[13px]', error ? 'text-bad' : 'text-faint')}>
          {below}
        </p>
      )}
    </div>
  )
}
