import type { InputHTMLAttributes } from 'react'
import { Input } from '@/ui/field'
import { shownCredential } from './credential'

/** Edits a credential. A stored one is not shown, and stays unchanged until somebody types. */
export function SecretInput({ value, onValue, ...rest }: { value: string; onValue: (value: string) => void } & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'type' | 'onChange'>) {
  return <Input {...rest} {...shownCredential(value)} autoComplete="off" spellCheck={false} onChange={(event) => onValue(event.target.value)} />
}
