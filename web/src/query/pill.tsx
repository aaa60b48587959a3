import { X } from 'lucide-react'
import { useState } from 'react'
import { Popover } from '@/ui/menu'
import { Builder } from './lazy-builder'
import { describe, sentence } from './describe'
import type { QueryState } from './state'
import type { QueryNode } from './syntax'

/** A part of the query. Clicking it edits it; the cross removes it. */
export function Pill({ node, context, onReplace, onRemove }: { node: QueryNode; context: QueryState; onReplace: (text: string) => void; onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  const { subject, verb, object } = describe(node)
  const words = sentence(node)
  return (
    <span className="inline-flex h-6 max-w-full min-w-0 items-center rounded bg-accent-soft text-[13px] text-accent-ink">
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Edit filter"
        className="w-[34rem]"
        trigger={
          <button type="button" className="flex h-6 min-w-0 items-center gap-1 rounded pr-0.5 pl-1.5" aria-label={`Edit filter ${words}`}>
            {/* The spaces are read, not shown. */}
            {subject !== '' && <span className="shrink-0">{subject}{verb === '' && ':'}</span>}{' '}
            {verb !== '' && <span className="shrink-0">{verb}</span>}{' '}
            <span className="truncate font-medium">{object}</span>
          </button>
        }
      >
        <Builder
          root={{ kind: 'group', logic: 'AND', nodes: [node] }}
          context={context}
          onCancel={() => setOpen(false)}
          onApply={(text) => {
            setOpen(false)
            onReplace(text)
          }}
        />
      </Popover>
      <button type="button" className="grid h-6 w-5 shrink-0 place-items-center rounded hover:bg-hover" aria-label={`Remove filter ${words}`} onClick={onRemove}>
        <X className="size-3.5" />
      </button>
    </span>
  )
}
