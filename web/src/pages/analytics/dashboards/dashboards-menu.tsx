import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronDown, LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { useMayEditAny } from '@/api/session'
import { cn } from '@/lib/cn'
import { Button } from '@/ui/button'
import { Popover } from '@/ui/menu'
import { NameDialog } from '@/ui/name-dialog'
import { everyone, mayNotEdit, useDashboardChanges, useDashboards } from './data'

/** Links to the dashboards of the workspace, and creates new ones. */
export function DashboardsMenu({ current }: { current?: number }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const [open, setOpen] = useState(false)
  const [naming, setNaming] = useState(false)
  const list = useDashboards()
  const may = useMayEditAny()
  const { create } = useDashboardChanges()
  const navigate = useNavigate()
  const make = async (name: string) => {
    const { id } = await create.mutateAsync({ name })
    void navigate({ to: '/$workspace/dashboards/$dashboard', params: { workspace, dashboard: String(id) }, search: {} })
  }
  const close = () => setOpen(false)
  const row = 'flex w-full items-center gap-2 rounded px-2 py-1.5 text-left hover:bg-hover [&_svg]:size-4 [&_svg]:shrink-0'
  return (
    <>
      <Popover open={open} onOpenChange={setOpen} align="end" label="Dashboards" className="max-h-[70dvh] w-64 overflow-auto p-1" trigger={<Button small><LayoutDashboard /> Dashboards <ChevronDown className="text-faint" /></Button>}>
        <nav aria-label="Dashboards">
          <Link to="/$workspace/analytics" params={{ workspace }} search={{}} onClick={close} className={cn(row, current === undefined && 'font-medium')}>
            Overview {current === undefined && <span className="ml-auto text-accent-ink">✓</span>}
          </Link>
          <div className="my-1 h-px bg-line" />
          {list.isPending && <p className="px-2 py-1.5 text-faint">Loading…</p>}
          {list.data?.length === 0 && <p className="px-2 py-1.5 text-[13px] text-faint">No dashboards yet. Create one to collect charts for everyone in the workspace.</p>}
          {list.data?.map(({ id, name }) => (
            <Link key={id} to="/$workspace/dashboards/$dashboard" params={{ workspace, dashboard: String(id) }} search={{}} onClick={close} className={cn(row, id === current && 'font-medium')}>
              <span className="truncate">{name}</span> {id === current && <span className="ml-auto text-accent-ink">✓</span>}
            </Link>
          ))}
        </nav>
        <div className="my-1 h-px bg-line" />
        <button type="button" className={cn(row, 'disabled:opacity-50')} disabled={!may} title={may ? undefined : mayNotEdit} onClick={() => { close(); setNaming(true) }}>
          <Plus /> New dashboard…
        </button>
      </Popover>
      {naming && <NameDialog title="New dashboard" hint={everyone} action="Create" onSave={make} onClose={() => setNaming(false)} />}
    </>
  )
}
