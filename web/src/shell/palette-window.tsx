import { useRouter } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '@/api/session'
import { Spinner } from '@/ui/button'
import { useActionItems } from './palette-actions'
import { pageItems, type PaletteItem, recentItems, requestItem, settingsItems } from './palette-items'
import { forgetTyped, paletteFrame, paletteInput, palettePlaceholder, typedSoFar } from './palette-opening'
import { rank, requestNumber } from './palette-rank'
import { readRecent } from './recent'
import { useFound } from './use-found'

const mac = navigator.platform.startsWith('Mac')

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  onHelp: () => void
  returnFocus: { onCloseAutoFocus: (event: Event) => void }
}

/** The dialog that finds anything by part of its name: items, pages, settings and actions. */
export default function PaletteWindow({ open, onOpenChange, onHelp, returnFocus }: Props) {
  useLayoutEffect(() => {
    if (!open) forgetTyped()
  }, [open])
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          className={paletteFrame}
        >
          <Dialog.Title className="sr-only">Search everything</Dialog.Title>
          <Finder open={open} onHelp={onHelp} close={() => onOpenChange(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ open, onHelp, close }: { open: boolean; onHelp: () => void; close: () => void }) {
  const [text, setText] = useState(() => typedSoFar().text)
  const field = useTakeOver(setText)
  const { groups, busy, failed } = useGroups(text, open, onHelp)
  const choice = useChoice(groups.flatMap(({ items }) => items))
  const openItem = useOpenItem(close)
  const onKeyDown = (event: React.KeyboardEvent) => {
    choice.onKeyDown(event)
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !choice.chosen) return
    event.preventDefault()
    openItem(choice.chosen, true)
  }
  return (
    <Command label="Search everything" shouldFilter={false} loop value={choice.value} onValueChange={choice.onValue} onKeyDown={onKeyDown}>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Command.Input
          ref={field}
          autoFocus
          value={text}
          onValueChange={(next) => { setText(next); choice.reset() }}
          placeholder={palettePlaceholder}
          className={paletteInput}
        />
        {busy && <Spinner className="text-faint" />}
      </div>
      <Command.List className="max-h-[min(26rem,65dvh)] scroll-py-2 overflow-y-auto p-2" onPointerMove={choice.onPointer}>
        {!busy && groups.length === 0 && <p className="px-2 py-8 text-center text-faint">No results for “{text.trim()}”</p>}
        {groups.map(({ group, items }) => (
          <Command.Group key={group} heading={group} className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint">
            {items.map((item) => <Row key={item.id} item={item} onOpen={(apart) => openItem(item, apart)} />)}
          </Command.Group>
        ))}
      </Command.List>
      <p role="status" className="sr-only">{failed ? 'Search failed' : busy ? '' : `${groups.reduce((sum, { items }) => sum + items.length, 0)} results`}</p>
      <footer className="hidden items-center gap-4 border-t border-line px-4 py-2 text-xs text-faint md:flex">
        {failed ? <span className="text-bad">Search failed. Check your connection and try again.</span> : <><span>↑ ↓ to select</span><span>Enter to open</span><span>{mac ? '⌘' : 'Ctrl'} Enter to open in a new tab</span><span className="ml-auto">Esc to close</span></>}
      </footer>
    </Command>
  )
}

function Row({ item, onOpen }: { item: PaletteItem; onOpen: (apart: boolean) => void }) {
  const { icon: Icon } = item
  return (
    <Command.Item
      value={item.id}
      onSelect={() => onOpen(false)}
      onAuxClick={(event) => { if (event.button === 1) onOpen(true) }}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 max-md:py-2.5 data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="truncate">{item.name}</span>
      {item.note && <span className="min-w-0 truncate text-[13px] text-faint">{item.note}</span>}
      {item.keys && <kbd className="ml-auto shrink-0 font-sans text-xs text-faint max-md:hidden">{item.keys}</kbd>}
    </Command.Item>
  )
}

/** Takes over the caret of the previous field and what was typed there in the meantime. */
function useTakeOver(setText: (text: string) => void) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const { text, from, to } = typedSoFar()
    if (text === '') return
    forgetTyped()
    setText(text)
    field.current?.setSelectionRange(from, to)
  }, [setText])
  return field
}

/** Everything that matches the text, in groups. */
function useGroups(text: string, open: boolean, onHelp: () => void) {
  const { workspace_id } = useSession()
  const [recent] = useState(() => readRecent(workspace_id).filter(({ href }) => !isHere(href)))
  const actions = useActionItems(onHelp)
  const { items: found, busy, failed } = useFound(text, open)
  if (text.trim() === '') {
    return { groups: rank([...recentItems(recent.slice(0, 6)), ...pageItems(workspace_id), ...actions], '', 20), busy, failed }
  }
  const number = requestNumber(text)
  const known = [...pageItems(workspace_id), ...found, ...settingsItems(workspace_id), ...actions]
  return { groups: rank(number === null ? known : [requestItem(workspace_id, number), ...known], text, 8), busy, failed }
}

function isHere(href: string): boolean {
  return `/app${href}`.split('?')[0] === window.location.pathname && !href.includes('request=')
}

/**
 * The selected item: the first one, even when better ones arrive later, until
 * the user moves the selection.
 */
function useChoice(items: PaletteItem[]) {
  const [moved, setMoved] = useState<string | null>(null)
  // Read in the same event that sets it, before the next render.
  const moving = useRef(false)
  const chosen = items.find(({ id }) => id === moved) ?? items[0]
  return {
    chosen,
    value: chosen?.id ?? '',
    // The list also changes its selection as items come and go; ignore that.
    onValue: (id: string) => { if (moving.current) setMoved(id) },
    onPointer: () => { moving.current = true },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (/^(Arrow|Home|End)/.test(event.key) || event.ctrlKey) moving.current = true
    },
    reset: () => {
      setMoved(null)
      moving.current = false
    },
  }
}

/** Returns a function that opens or performs an item. */
function useOpenItem(close: () => void): (item: PaletteItem, apart: boolean) => void {
  const router = useRouter()
  return (item, apart) => {
    if (apart && item.href) {
      window.open(`/app${item.href}`, '_blank', 'noopener')
      return
    }
    close()
    if (item.href) void router.navigate({ href: item.href })
    else item.run?.()
  }
}
