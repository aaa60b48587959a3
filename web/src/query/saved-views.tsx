import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, ChevronDown, Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMayEditAny, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { NameDialog } from '@/ui/name-dialog'
import { useToast } from '@/ui/toast'

type View = Schemas['ViewItem']
type ViewState = Record<string, unknown>

/**
 * The saved views of a page: opens, saves, renames and deletes them. `state` is
 * what the page shows now; `onOpen` gets the saved state.
 */
export function SavedViews({ page, current, state, bare, onOpen }: {
  page: View['page']
  /** The open view. */
  current: number | undefined
  state: ViewState
  /** Whether the URL names only the view, so that its saved state is applied. */
  bare: boolean
  onOpen: (view: number | undefined, state: ViewState) => void
}) {
  const { workspace_id: workspace } = useSession()
  const key = ['w', workspace, 'views']
  const { data } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(api.GET('/api/public/v2/views', { signal })), staleTime: 60_000 })
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const may = useMayEditAny()
  const changes = useViewChanges(key)
  const confirm = useConfirm()
  const views = (data?.views ?? []).filter((view) => view.page === page)
  const open = views.find(({ id }) => id === current)
  useEffect(() => {
    if (bare && open !== undefined) onOpen(open.id, open.state)
    // Once for each view in the URL; applying it adds other parameters.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [bare, open?.id])
  const changed = open !== undefined && !bare && !sameState(open.state, state)
  const remove = async (view: View) => {
    const yes = await confirm({ title: 'Delete this view?', body: `“${view.name}” will be deleted for everyone in the workspace. What it shows is not affected.`, action: 'Delete', danger: true })
    if (yes) changes.remove.mutate(view, { onSuccess: () => onOpen(undefined, state) })
  }
  return (
    <>
      <Menu
        trigger={
          <Button small aria-label={open ? `View ${open.name}${changed ? ' (modified)' : ''}: choose another` : 'Saved views'} title={changed ? 'Modified since it was saved' : undefined}>
            <Bookmark /> <span className="max-w-40 truncate max-sm:sr-only">{open?.name ?? 'Views'}</span>
            {changed && <span aria-hidden className="size-1.5 rounded-full bg-warn" />}
            <ChevronDown className="text-faint" />
          </Button>
        }
      >
        <MenuLabel>{views.length === 0 ? 'No views yet. Save a query with its time range and columns for everyone in the workspace.' : 'Saved views'}</MenuLabel>
        {views.map((view) => (
          <MenuItem key={view.id} onSelect={() => onOpen(view.id, view.state)}>
            <span className="truncate">{view.name}</span> {view.id === current && <span className="ml-auto text-accent-ink">✓</span>}
          </MenuItem>
        ))}
        <MenuSeparator />
        {open && <MenuItem disabled={!may || !changed} onSelect={() => changes.save.mutate({ view: open, body: { state } })}><Save /> Save changes</MenuItem>}
        <MenuItem disabled={!may} onSelect={() => setNaming('new')}><Plus /> Save as new view…</MenuItem>
        {open && <MenuItem disabled={!may} onSelect={() => setNaming('rename')}><Pencil /> Rename…</MenuItem>}
        {open && <MenuItem danger disabled={!may} onSelect={() => void remove(open)}><Trash2 /> Delete…</MenuItem>}
      </Menu>
      {naming !== null && (
        <NameDialog
          title={naming === 'new' ? 'Save view' : 'Rename view'}
          hint="Visible to everyone in the workspace"
          initial={naming === 'rename' ? open?.name : undefined}
          action="Save"
          onClose={() => setNaming(null)}
          onSave={async (name) => {
            if (naming === 'rename' && open) await changes.save.mutateAsync({ view: open, body: { name } })
            else onOpen((await changes.create.mutateAsync({ name, page, state })).view.id, state)
          }}
        />
      )}
    </>
  )
}

function useViewChanges(key: unknown[]) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const settled = { onError: toast.failed, onSettled: () => queryClient.invalidateQueries({ queryKey: key }) }
  const create = useMutation({
    mutationFn: (body: { name: string; page: View['page']; state: ViewState }) => call(api.POST('/api/public/v2/views', { body })),
    onSuccess: ({ view }) => toast.done(`View “${view.name}” saved`),
    ...settled,
  })
  const save = useMutation({
    mutationFn: ({ view, body }: { view: View; body: { name?: string; state?: ViewState } }) => call(api.PATCH('/api/public/v2/views/{view_id}', { params: { path: { view_id: view.id } }, body })),
    onSuccess: ({ view }) => toast.done(`View “${view.name}” saved`),
    ...settled,
  })
  const remove = useMutation({
    mutationFn: (view: View) => call(api.DELETE('/api/public/v2/views/{view_id}', { params: { path: { view_id: view.id } } })),
    onSuccess: (_, view) => toast.done(`View “${view.name}” deleted`),
    ...settled,
  })
  return { create, save, remove }
}

/** Reports whether two states are equal, ignoring the order of their members. */
function sameState(a: ViewState, b: ViewState): boolean {
  const text = (state: ViewState) => JSON.stringify(Object.entries(state).filter(([, value]) => value !== undefined).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}
