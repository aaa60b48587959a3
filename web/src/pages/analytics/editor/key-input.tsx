import { useState } from 'react'
import { findField } from '@/query/fields'
import { SuggestInput } from '@/query/suggest-input'
import { useKeys } from '@/query/suggestions'

const labels = { metadata: 'Metadata key', score: 'Score name' }

/** A metadata key or the name of a score, with suggestions from the requests. */
export function KeyInput({ field = 'metadata', value, onChange }: { field?: keyof typeof labels; value: string; onChange: (key: string) => void }) {
  const [open, setOpen] = useState(false)
  const keys = useKeys(findField(field, true), value, { range: '30d' }, open)
  return <SuggestInput label={labels[field]} placeholder={labels[field]} value={value} onChange={onChange} options={keys} open={open} onOpenChange={setOpen} className="relative min-w-32 flex-1" />
}
