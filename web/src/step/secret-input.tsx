import { useState, type InputHTMLAttributes } from 'react'
import { Input } from '@/ui/field'
import { hidden, shownCredential, typedCredential } from './credential'

/** Edits a credential. A stored one is not shown, and stays unchanged until somebody types. */
export function SecretInput({ value, onValue, ...rest }: { value: string; onValue: (value: string) => void } & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'type' | 'onChange'>) {
  const [stored, setStored] = useState(value === hidden)
  if (value === hidden && !stored) setStored(true)
  return <Input {...rest} {...shownCredential(value)} autoComplete="off" spellCheck={false} onChange={(event) => onValue(typedCredential(event.target.value, stored))} />
}
