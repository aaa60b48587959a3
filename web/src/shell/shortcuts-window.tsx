import { Dialog } from '@/ui/dialog'
import { goPlaces } from './places'

const mac = navigator.platform.startsWith('Mac')

const general: [keys: string[], what: string][] = [
  [[mac ? '⌘' : 'Ctrl', 'K'], 'Search everything'],
  [['?'], 'Show this list'],
  [['Esc'], 'Close what is open'],
]

/** The list of keyboard shortcuts. */
export default function ShortcutsWindow({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" description="They do not count while you type in a field.">
      <div className="grid gap-6 pb-2 sm:grid-cols-2">
        <List title="Everywhere" rows={general} />
        <List title="Go to" rows={goPlaces.map(({ key, label }) => [['g', key], label])} />
      </div>
    </Dialog>
  )
}

function List({ title, rows }: { title: string; rows: [keys: string[], what: string][] }) {
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-semibold">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5">
        {rows.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="text-dim">{what}</dt>
            <dd><Keys keys={keys} /></dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Keys as they look on a keyboard. */
function Keys({ keys }: { keys: string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => <kbd key={key} className="min-w-5 rounded border border-line-strong bg-sunken px-1 text-center font-sans text-xs leading-[18px]">{key}</kbd>)}
    </span>
  )
}
