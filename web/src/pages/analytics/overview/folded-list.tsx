import { useState } from 'react'
import { BarList } from '@/ui/chart'
import type { BarItem } from '@/ui/bar-list'

const fewRows = 8

/** A ranking that shows its first rows, or all of them on demand. */
export function FoldedList({ items, format, empty, onPick }: { items: BarItem[]; format: (value: number) => string; empty: string; onPick: (index: number) => void }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <div className={all ? 'max-h-96 overflow-y-auto' : undefined}>
        <BarList items={all ? items : items.slice(0, fewRows)} format={format} empty={empty} onPick={(_, index) => onPick(index)} />
      </div>
      {items.length > fewRows && (
        <button type="button" className="mt-2 rounded px-2 text-[13px] text-accent-ink hover:underline" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${items.length}`}
        </button>
      )}
    </>
  )
}
