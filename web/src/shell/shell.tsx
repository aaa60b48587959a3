import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router'
import {
  BellRing, BookOpen, Boxes, ChartNoAxesColumn, Database, FlaskConical, ListTree, LogOut, Menu as MenuIcon, MessageSquareText, MessagesSquare, Moon, Play, ScrollText, Search, Settings, Sun, Users, Waypoints, Wrench, X,
} from 'lucide-react'
import { Suspense, useLayoutEffect, useState } from 'react'
import { signOut, useMay, useSession } from '@/api/session'
import { cn } from '@/lib/cn'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/ui/menu'
import { Loading } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { Palette } from './palette'
import { useTheme } from './theme'

const places = [
  { to: '/$workspace/requests', label: 'Requests', icon: ScrollText },
  { to: '/$workspace/traces', label: 'Traces', icon: ListTree },
  { to: '/$workspace/sessions', label: 'Sessions', icon: MessagesSquare },
  { to: '/$workspace/users', label: 'Users', icon: Users },
  { to: '/$workspace/analytics', label: 'Analytics', icon: ChartNoAxesColumn },
  { to: '/$workspace/alerts', label: 'Alerts', icon: BellRing },
  { to: '/$workspace/prompts', label: 'Prompts', icon: MessageSquareText },
  { to: '/$workspace/playground', label: 'Playground', icon: Play },
  { to: '/$workspace/workflows', label: 'Workflows', icon: Waypoints },
  { to: '/$workspace/datasets', label: 'Datasets', icon: Database },
  { to: '/$workspace/evaluations', label: 'Evaluations', icon: FlaskConical },
  { to: '/$workspace/skills', label: 'Skills', icon: Boxes },
  { to: '/$workspace/tools', label: 'Tools', icon: Wrench },
] as const

/** The frame around every page: navigation, workspace and account. */
export function Shell() {
  const [menuOpen, setMenuOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [openedAt, setOpenedAt] = useState(path)
  if (openedAt !== path) {
    // Navigating closes the menu on narrow screens.
    setOpenedAt(path)
    setMenuOpen(false)
  }
  // Before the first paint, so that shortcuts work as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        setPaletteOpen((open) => !open)
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a href="#main" className="sr-only z-50 rounded bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2">
        Skip to content
      </a>
      <header className="flex items-center gap-2 border-b border-line bg-surface px-3 py-2 md:hidden">
        <IconButton label={menuOpen ? 'Close menu' : 'Open menu'} aria-expanded={menuOpen} onClick={() => setMenuOpen(!menuOpen)}>
          {menuOpen ? <X /> : <MenuIcon />}
        </IconButton>
        <Logo />
        <IconButton label="Search everything" className="ml-auto" onClick={() => setPaletteOpen(true)}>
          <Search />
        </IconButton>
      </header>
      <aside className={cn('w-full shrink-0 flex-col border-r border-line bg-sunken p-2 md:flex md:w-52', menuOpen ? 'flex max-md:min-h-0 max-md:flex-1' : 'hidden')}>
        <div className="hidden px-2 pt-1.5 pb-3 md:block">
          <Logo />
        </div>
        <WorkspaceMenu />
        <button
          type="button"
          onClick={() => setPaletteOpen(true)}
          className="mt-2 mb-2 hidden items-center gap-2 rounded-md border border-line bg-surface px-2 py-1 text-faint hover:border-line-strong md:flex"
        >
          <Search className="size-3.5" /> Search <kbd className="ml-auto font-sans text-xs">{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <nav aria-label="Pages" className="flex flex-1 flex-col gap-px overflow-y-auto">
          {places.map(({ to, label, icon: Icon }) => (
            <NavLink key={to} to={to}>
              <Icon /> {label}
            </NavLink>
          ))}
          <div className="flex-1" />
          <NavLink to="/$workspace/settings/$section">
            <Settings /> Settings
          </NavLink>
          <a href="/docs" className={navClass}>
            <BookOpen /> API reference
          </a>
        </nav>
        <Account />
      </aside>
      <main id="main" tabIndex={-1} className={cn('relative min-h-0 min-w-0 flex-1 overflow-auto focus:outline-none', menuOpen && 'max-md:hidden')}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Palette open={paletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  )
}

function Logo() {
  return (
    <span className="flex items-center gap-2 font-semibold">
      <img src="/app/favicon.svg" alt="" className="size-5" /> Promptuary
    </span>
  )
}

const navClass =
  'flex items-center gap-2.5 rounded-md px-2 py-1.5 text-dim hover:bg-hover hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0 [&.active]:bg-surface [&.active]:font-medium [&.active]:text-ink [&.active]:shadow-[0_1px_2px_rgb(0_0_0/0.08)]'

function NavLink({ to, children }: { to: (typeof places)[number]['to'] | '/$workspace/settings/$section'; children: React.ReactNode }) {
  const { workspace } = useParams({ from: '/$workspace' })
  const administers = useMay('ADMIN')
  const inSettings = useRouterState({ select: (state) => state.location.pathname.includes('/settings/') })
  if (to === '/$workspace/settings/$section') {
    return (
      // Active for all sections, not only the one it links to.
      <Link to={to} params={{ workspace, section: administers ? 'members' : 'account' }} search={{}} className={cn(navClass, inSettings && 'active')} activeOptions={{ includeSearch: false }}>
        {children}
      </Link>
    )
  }
  return (
    <Link to={to} params={{ workspace }} search={{}} className={navClass} activeOptions={{ includeSearch: false }}>
      {children}
    </Link>
  )
}

function WorkspaceMenu() {
  const session = useSession()
  const current = session.workspaces.find(({ id }) => id === session.workspace_id)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover" title="Switch workspace">
          <span aria-hidden className="grid size-5 shrink-0 place-items-center rounded bg-accent text-xs font-semibold text-on-accent">
            {current?.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate font-medium"><span className="sr-only">Workspace </span>{current?.name}</span>
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      {session.workspaces.map(({ id, name }) => (
        // Full page load, so that no data of one workspace remains in the pages of another.
        <MenuItem key={id} onSelect={() => window.location.assign(`/app/${id}/requests`)}>
          {name} {id === session.workspace_id && <span className="ml-auto text-accent-ink">✓</span>}
        </MenuItem>
      ))}
    </Menu>
  )
}

function Account() {
  const session = useSession()
  const toast = useToast()
  const [theme, setTheme] = useTheme()
  return (
    <div className="mt-2 flex items-center gap-1 border-t border-line pt-2">
      <Menu
        align="start"
        trigger={
          <button type="button" className="min-w-0 flex-1 truncate rounded-md px-2 py-1.5 text-left text-[13px] text-dim hover:bg-hover">
            {session.user?.email}
          </button>
        }
      >
        <MenuLabel>{session.user?.owner ? 'Owner of this installation' : 'Signed in'}</MenuLabel>
        <MenuItem onSelect={() => window.location.assign(`/app/${session.workspace_id}/settings/account`)}>
          <Settings /> Account
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => void signOut().catch(toast.failed)}>
          <LogOut /> Sign out
        </MenuItem>
      </Menu>
      <IconButton label={theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme'} onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {theme === 'dark' ? <Sun /> : <Moon />}
      </IconButton>
    </div>
  )
}
