import { Dialog } from '@/ui/dialog'
import { goPlaces } from './places'

const ctrl = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'

/** Each entry is one or more key combinations. */
type Shortcut = [ways: string[][], what: string]

const general: Shortcut[] = [
  [[[ctrl, 'K']], 'Search everything'],
  [[['?']], 'Show this list'],
  [[['Esc']], 'Close dialog or panel'],
]

const requests: Shortcut[] = [
  [[['/']], 'Focus the query, also in Traces and Analytics'],
  [[['↓'], ['j']], 'Next request'],
  [[['↑'], ['k']], 'Previous request'],
  [[['Enter']], 'Open request'],
  [[['x']], 'Select request, if you may delete it'],
  [[['Esc']], 'Close request'],
]

const trace: Shortcut[] = [
  [[['/']], 'Search in the trace'],
  [[['↑'], ['↓']], 'Previous or next span'],
  [[['←'], ['→']], 'Collapse or expand span'],
  [[['Enter']], 'Go to the details of the span'],
]

const editing: Shortcut[] = [
  [[[ctrl, 'S']], 'Save prompt'],
  [[[ctrl, 'Enter']], 'Run in the playground or a tool test'],
  [[[ctrl, 'Enter']], 'Send reply in the playground'],
]

const rows: Shortcut[] = [
  [[['↑'], ['↓'], ['←'], ['→']], 'Move between cells'],
  [[['Enter']], 'Open row, or edit cell of a draft'],
  [[['F2']], 'Edit cell of a draft'],
  [[['Tab']], 'Save cell and move right'],
  [[['↓'], ['j']], 'Next row, when a row is open'],
  [[['↑'], ['k']], 'Previous row, when a row is open'],
]

/** The list of keyboard shortcuts. */
export default function ShortcutsWindow({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="wide" title="Keyboard shortcuts" description={`Shortcuts without ${ctrl} are off while you type in a field.`}>
      <div className="grid gap-x-10 gap-y-6 pb-2 sm:grid-cols-2 lg:grid-cols-3">
        <div className="flex flex-col gap-6">
          <List title="Everywhere" rows={general} />
          <List title="Requests" rows={requests} />
        </div>
        <List title="Go to" rows={goPlaces.map(({ key, label }) => [[['g', key]], label])} />
        <div className="flex flex-col gap-6">
          <List title="Trace" rows={trace} />
          <List title="Editing" rows={editing} />
          <List title="Datasets and evaluation runs" rows={rows} />
        </div>
      </div>
    </Dialog>
  )
}

function List({ title, rows }: { title: string; rows: Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-semibold">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
        {rows.map(([ways, what]) => (
          <div key={what} className="contents">
            <dt className="text-dim">{what}</dt>
            <dd className="flex items-start justify-end gap-2">{ways.map((keys) => <Keys key={keys.join()} keys={keys} />)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Keys in the style of a keyboard. */
function Keys({ keys }: { keys: string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => <kbd key={key} className="min-w-5 rounded border border-line-strong bg-sunken px-1 text-center font-sans text-xs leading-[18px]">{key}</kbd>)}
    </span>
  )
}
