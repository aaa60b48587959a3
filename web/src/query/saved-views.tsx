import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, ChevronDown, Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { Button } from '@/ui/button'
import { Dialog, useConfirm } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { useToast } from '@/ui/toast'

type View = Schemas['ViewItem']
type ViewState = Record<string, unknown>

/**
 * The saved views of a page: opens one, saves what is shown as one, renames
 * and deletes them. `state` is what is shown now; `onOpen` gets what was saved.
 */
export function SavedViews({ page, current, state, bare, onOpen }: {
  page: View['page']
  /** The view that is open. */
  current: number | undefined
  state: ViewState
  /** Whether the address names the view and nothing else: then what was saved is brought in. */
  bare: boolean
  onOpen: (view: number | undefined, state: ViewState) => void
}) {
  const { workspace_id: workspace } = useSession()
  const key = ['w', workspace, 'views']
  const { data } = useQuery({ queryKey: key, queryFn: ({ signal }) => call(api.GET('/api/public/v2/views', { signal })), staleTime: 60_000 })
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const may = useMayEdit()
  const changes = useViewChanges(key)
  const confirm = useConfirm()
  const views = (data?.views ?? []).filter((view) => view.page === page)
  const open = views.find(({ id }) => id === current)
  useEffect(() => {
    if (bare && open !== undefined) onOpen(open.id, open.state)
    // Once for each view that is named: what follows from it is not bare any more.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [bare, open?.id])
  const changed = open !== undefined && !bare && !sameState(open.state, state)
  const remove = async (view: View) => {
    const yes = await confirm({ title: 'Delete this view?', body: `“${view.name}” is deleted for everybody in the workspace. The requests stay.`, action: 'Delete', danger: true })
    if (yes) changes.remove.mutate(view, { onSuccess: () => onOpen(undefined, state) })
  }
  return (
    <>
      <Menu
        trigger={
          <Button small aria-label={open ? `View ${open.name}${changed ? ', changed' : ''}: choose another` : 'Saved views'} title={changed ? 'Changed since it was saved' : undefined}>
            <Bookmark /> <span className="max-w-40 truncate max-sm:sr-only">{open?.name ?? 'Views'}</span>
            {changed && <span aria-hidden className="size-1.5 rounded-full bg-warn" />}
            <ChevronDown className="text-faint" />
          </Button>
        }
      >
        <MenuLabel>{views.length === 0 ? 'A view keeps a query, its time and its columns under a name, for everybody here' : 'Views of this workspace'}</MenuLabel>
        {views.map((view) => (
          <MenuItem key={view.id} onSelect={() => onOpen(view.id, view.state)}>
            <span className="truncate">{view.name}</span> {view.id === current && <span className="ml-auto text-accent-ink">✓</span>}
          </MenuItem>
        ))}
        <MenuSeparator />
        {open && <MenuItem disabled={!may || !changed} onSelect={() => changes.save.mutate({ view: open, body: { state } })}><Save /> Save changes</MenuItem>}
        <MenuItem disabled={!may} onSelect={() => setNaming('new')}><Plus /> Save as a new view…</MenuItem>
        {open && <MenuItem disabled={!may} onSelect={() => setNaming('rename')}><Pencil /> Rename…</MenuItem>}
        {open && <MenuItem danger disabled={!may} onSelect={() => void remove(open)}><Trash2 /> Delete…</MenuItem>}
      </Menu>
      {naming !== null && (
        <NameDialog
          title={naming === 'new' ? 'Save as a view' : 'Rename the view'}
          name={naming === 'rename' ? (open?.name ?? '') : ''}
          busy={changes.create.isPending || changes.save.isPending}
          onClose={() => setNaming(null)}
          onName={(name) => {
            if (naming === 'new') changes.create.mutate({ name, page, state }, { onSuccess: ({ view }) => { setNaming(null); onOpen(view.id, state) } })
            else if (open) changes.save.mutate({ view: open, body: { name } }, { onSuccess: () => setNaming(null) })
          }}
        />
      )}
    </>
  )
}

/** Views are shared: whoever may edit anything may change them. */
function useMayEdit(): boolean {
  const [prompts, workflows, datasets, reports, tools, skills] = [useMay('PROMPT_EDIT'), useMay('WORKFLOW_EDIT'), useMay('DATASET_EDIT'), useMay('REPORT_EDIT'), useMay('TOOL_EDIT'), useMay('SKILL_EDIT')]
  return prompts || workflows || datasets || reports || tools || skills
}

function useViewChanges(key: unknown[]) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const settled = { onError: toast.failed, onSettled: () => queryClient.invalidateQueries({ queryKey: key }) }
  const create = useMutation({
    mutationFn: (body: { name: string; page: View['page']; state: ViewState }) => call(api.POST('/api/public/v2/views', { body })),
    onSuccess: ({ view }) => toast.done(`Saved the view “${view.name}”`),
    ...settled,
  })
  const save = useMutation({
    mutationFn: ({ view, body }: { view: View; body: { name?: string; state?: ViewState } }) => call(api.PATCH('/api/public/v2/views/{view_id}', { params: { path: { view_id: view.id } }, body })),
    onSuccess: ({ view }) => toast.done(`Saved the view “${view.name}”`),
    ...settled,
  })
  const remove = useMutation({
    mutationFn: (view: View) => call(api.DELETE('/api/public/v2/views/{view_id}', { params: { path: { view_id: view.id } } })),
    onSuccess: (_, view) => toast.done(`Deleted the view “${view.name}”`),
    ...settled,
  })
  return { create, save, remove }
}

/** Whether two states show the same, in whatever order their members stand. */
function sameState(a: ViewState, b: ViewState): boolean {
  const text = (state: ViewState) => JSON.stringify(Object.entries(state).filter(([, value]) => value !== undefined).sort(([x], [y]) => (x < y ? -1 : 1)))
  return text(a) === text(b)
}

function NameDialog({ title, name, busy, onName, onClose }: { title: string; name: string; busy: boolean; onName: (name: string) => void; onClose: () => void }) {
  const [value, setValue] = useState(name)
  const submit = () => value.trim() !== '' && onName(value.trim())
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} size="narrow" footer={<><Button onClick={onClose}>Cancel</Button><Button look="primary" busy={busy} disabled={value.trim() === ''} onClick={submit}>Save</Button></>}>
      <form onSubmit={(event) => { event.preventDefault(); submit() }}>
        <Field label="Name" hint="Everybody in the workspace sees it">{(control) => <Input {...control} autoFocus maxLength={255} value={value} onChange={(event) => setValue(event.target.value)} />}</Field>
      </form>
    </Dialog>
  )
}
