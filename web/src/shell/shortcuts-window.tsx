import { Dialog } from '@/ui/dialog'
import { goPlaces } from './places'

const ctrl = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'

/** Each is one way or several ways to press something. */
type Shortcut = [ways: string[][], what: string]

const general: Shortcut[] = [
  [[[ctrl, 'K']], 'Search everything'],
  [[['?']], 'Show this list'],
  [[['Esc']], 'Close what is open'],
]

const requests: Shortcut[] = [
  [[['/']], 'Type a query, here and in Analytics'],
  [[['↓'], ['j']], 'Next request'],
  [[['↑'], ['k']], 'Previous request'],
  [[['Enter']], 'Open the request'],
  [[['Esc']], 'Close the request'],
]

const editing: Shortcut[] = [
  [[[ctrl, 'S']], 'Save a prompt'],
  [[[ctrl, 'Enter']], 'Run, in the playground and the test of a tool'],
  [[[ctrl, 'Enter']], 'Send a reply in the playground'],
]

const rows: Shortcut[] = [
  [[['↑'], ['↓'], ['←'], ['→']], 'Go from cell to cell'],
  [[['Enter']], 'Open the row, or edit the cell of a draft'],
  [[['F2']], 'Edit the cell of a draft'],
  [[['Tab']], 'Keep what was typed, go on to the right'],
  [[['↓'], ['j']], 'Next row, in an open one'],
  [[['↑'], ['k']], 'Previous row, in an open one'],
]

/** The list of keyboard shortcuts. */
export default function ShortcutsWindow({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="wide" title="Keyboard shortcuts" description={`Those without ${ctrl} do not count while you type in a field.`}>
      <div className="grid gap-x-10 gap-y-6 pb-2 sm:grid-cols-2 lg:grid-cols-3">
        <div className="flex flex-col gap-6">
          <List title="Everywhere" rows={general} />
          <List title="Requests" rows={requests} />
        </div>
        <List title="Go to" rows={goPlaces.map(({ key, label }) => [[['g', key]], label])} />
        <div className="flex flex-col gap-6">
          <List title="Editing" rows={editing} />
          <List title="Datasets and runs of evaluations" rows={rows} />
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

/** Keys as they look on a keyboard. */
function Keys({ keys }: { keys: string[] }) {
  return (
    <span className="flex gap-1">
      {keys.map((key) => <kbd key={key} className="min-w-5 rounded border border-line-strong bg-sunken px-1 text-center font-sans text-xs leading-[18px]">{key}</kbd>)}
    </span>
  )
}
