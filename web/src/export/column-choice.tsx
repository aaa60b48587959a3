import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { Checkbox } from '@/ui/field'

/** Chooses columns of an export. */
export function ColumnChoice({ columns, chosen, onChange }: { columns: string[]; chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void }) {
  const toggle = (name: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(name)
    else next.delete(name)
    onChange(next)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 flex w-full flex-wrap items-center gap-2 text-[13px] font-medium text-dim">
        Columns <span className="font-normal text-faint">{count(chosen.size)} of {count(columns.length)}</span>
      </legend>
      <div className="mb-1 flex gap-2">
        <Button small look="quiet" onClick={() => onChange(new Set(columns))}>Select all</Button>
        <Button small look="quiet" onClick={() => onChange(new Set())}>Clear</Button>
      </div>
      <ul className={cn('grid max-h-48 grid-cols-1 gap-x-4 gap-y-1 overflow-auto rounded-md border p-2 sm:grid-cols-2', chosen.size === 0 ? 'border-bad' : 'border-line')}>
        {columns.map((name) => (
          <li key={name}>
            <label className="flex min-w-0 items-center gap-2">
              <Checkbox checked={chosen.has(name)} onChange={(event) => toggle(name, event.target.checked)} />
              <span className="truncate font-mono text-[13px]" title={name}>{name}</span>
            </label>
          </li>
        ))}
      </ul>
      {chosen.size === 0 && <p role="alert" className="mt-1 text-[13px] text-bad">Choose at least one column.</p>}
    </fieldset>
  )
}
