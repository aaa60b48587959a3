import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { cn } from '@/lib/cn'
import { Input } from './field'

/** A search field that reports its text shortly after typing. The caller stores the text, for example in the URL. */
export function SearchInput({ value, onSearch, label, placeholder, className }: { value: string; onSearch: (text: string) => void; label: string; placeholder?: string; className?: string }) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    // Changed elsewhere, for example by going back.
    setKnown(value)
    setTyped(value)
  }
  const search = useEffectEvent((text: string) => {
    setKnown(text)
    onSearch(text)
  })
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => search(typed.trim()), 250)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <div className={cn('relative min-w-40 flex-1', className)}>
      <Search className="absolute top-2 left-2.5 size-4 text-faint" />
      <Input type="search" aria-label={label} placeholder={placeholder} className="pl-8" value={typed} onChange={(event) => setTyped(event.target.value)} />
    </div>
  )
}
