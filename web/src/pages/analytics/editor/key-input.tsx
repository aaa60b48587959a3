import { useState } from 'react'
import { findField } from '@/query/fields'
import { SuggestInput } from '@/query/suggest-input'
import { useKeys } from '@/query/suggestions'

/** A metadata key, with suggestions from the requests. */
export function KeyInput({ value, onChange }: { value: string; onChange: (key: string) => void }) {
  const [open, setOpen] = useState(false)
  const keys = useKeys(findField('metadata', true), value, { range: '30d' }, open)
  return <SuggestInput label="Metadata key" placeholder="Metadata key" value={value} onChange={onChange} options={keys} open={open} onOpenChange={setOpen} className="relative min-w-32 flex-1" />
}
