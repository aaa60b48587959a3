import { useState } from 'react'
import { groups, typesIn } from '@/step/node-types'
import { Dialog } from '@/ui/dialog'
import { Input } from '@/ui/field'
import { NodeIcon } from '../graph/icons'

/** Selects the type of a new node. */
export function AddNodeDialog({ open, onOpenChange, after, onAdd }: { open: boolean; onOpenChange: (open: boolean) => void; after: string | null; onAdd: (type: string) => void }) {
  const [text, setText] = useState('')
  const matches = typesIn('workflows').filter(({ name, label, doc }) => `${name} ${label} ${doc}`.toLowerCase().includes(text.trim().toLowerCase()))
  const choose = (type: string) => {
    onAdd(type)
    onOpenChange(false)
    setText('')
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="wide" title="Add node" description={after === null ? 'The node can use the input variables and the values of other nodes.' : `The node uses the value of ${after}. You can change this later.`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const first = matches[0]
          if (first !== undefined) choose(first.name)
        }}
      >
        <Input autoFocus aria-label="Search node types" placeholder="Search: regex, prompt, join…" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
      {matches.length === 0 && <p className="py-6 text-center text-faint">No matching node types.</p>}
      {groups.map((group) => {
        const types = matches.filter((type) => type.group === group)
        if (types.length === 0) return null
        return (
          <section key={group} className="mt-3">
            <h3 className="mb-1 text-xs font-medium text-faint">{group}</h3>
            <ul className="grid gap-1 sm:grid-cols-2 lg:grid-cols-3">
              {types.map(({ name: type, label, doc }) => (
                <li key={type}>
                  <button type="button" title={type} onClick={() => choose(type)} className="flex h-full w-full items-start gap-2.5 rounded-md border border-line p-2 text-left hover:border-line-strong hover:bg-hover">
                    <NodeIcon type={type} className="mt-0.5 size-4 shrink-0 text-accent-ink" />
                    <span>
                      <span className="block font-medium">{label}</span>
                      <span className="block text-[13px] text-faint">{doc}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </Dialog>
  )
}
