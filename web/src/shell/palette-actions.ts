import { ArrowLeftRight, BookOpen, Keyboard, KeyRound, Link as LinkIcon, LogOut, SunMoon, UserPlus } from 'lucide-react'
import { signOut, useMay, useSession } from '@/api/session'
import { useToast } from '@/ui/toast'
import type { PaletteItem } from './palette-items'
import { useTheme } from './theme'

/** The actions available everywhere, without those the user may not perform. */
export function useActionItems(onHelp: () => void): PaletteItem[] {
  const session = useSession()
  const [theme, setTheme] = useTheme()
  const toast = useToast()
  const managesKeys = useMay('MANAGE_API_KEYS')
  const administers = useMay('ADMIN')
  const settings = `/${session.workspace_id}/settings`
  const copyLink = () => void navigator.clipboard.writeText(window.location.href).then(() => toast.done('Link copied'), toast.failed)
  const items: (PaletteItem | false)[] = [
    managesKeys && { id: 'do:key', group: 'Actions', name: 'New API key', words: 'create token', icon: KeyRound, href: `${settings}/keys?new=true` },
    administers && { id: 'do:invite', group: 'Actions', name: 'Invite member', words: 'add person user', icon: UserPlus, href: `${settings}/members?new=true` },
    { id: 'do:theme', group: 'Actions', name: theme === 'dark' ? 'Switch to light theme' : 'Switch to dark theme', words: 'light dark theme mode colours', icon: SunMoon, run: () => setTheme(theme === 'dark' ? 'light' : 'dark') },
    { id: 'do:link', group: 'Actions', name: 'Copy link to this page', words: 'share address url', icon: LinkIcon, run: copyLink },
    { id: 'do:help', group: 'Actions', name: 'Keyboard shortcuts', words: 'help keys', icon: Keyboard, keys: '?', run: onHelp },
    { id: 'do:reference', group: 'Actions', name: 'API reference', words: 'documentation docs', icon: BookOpen, run: () => window.location.assign('/docs') },
    ...session.workspaces
      .filter(({ id }) => id !== session.workspace_id)
      // Full page load, so that no data of one workspace remains in the pages of another.
      .map(({ id, name }) => ({ id: `workspace:${id}`, group: 'Workspaces', name: `Switch to ${name}`, words: `${name} workspace`, icon: ArrowLeftRight, run: () => window.location.assign(`/app/${id}/requests`) })),
    { id: 'do:sign-out', group: 'Actions', name: 'Sign out', words: 'log out leave', icon: LogOut, run: () => void signOut().catch(toast.failed) },
  ]
  return items.filter((item) => item !== false)
}
