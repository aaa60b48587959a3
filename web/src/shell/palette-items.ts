import {
  Boxes, Clock, Database, FileText, FlaskConical, Folder, Gauge, ListTree, type LucideIcon, MessageSquareText, MessagesSquare, Puzzle, ScrollText, SlidersHorizontal, User, Waypoints, Wrench,
} from 'lucide-react'
import type { Schemas } from '@/api/client'
import { goPlaces } from './places'
import type { RecentPlace } from './recent'
import { sections } from './settings-sections'

/** Something that the palette can open or do. */
export interface PaletteItem {
  id: string
  group: string
  name: string
  words?: string
  found?: boolean
  icon: LucideIcon
  /** Shown beside the name: the folder or the kind. */
  note?: string
  /** The keyboard shortcut. */
  keys?: string
  /** The target, relative to the base of the app. */
  href?: string
  run?: () => void
}

export function pageItems(workspace: number): PaletteItem[] {
  return goPlaces.map(({ key, path, label, icon }) => ({ id: `page:${path}`, group: 'Pages', name: label, icon, keys: `g ${key}`, href: `/${workspace}/${path}` }))
}

export function settingsItems(workspace: number): PaletteItem[] {
  return sections.map(({ id, title, words }) => ({ id: `settings:${id}`, group: 'Settings', name: title, words: `settings ${words}`, icon: SlidersHorizontal, href: `/${workspace}/settings/${id}` }))
}

const areas: Record<string, [kind: string, icon: LucideIcon]> = {
  requests: ['request', ScrollText], traces: ['trace', ListTree], sessions: ['session', MessagesSquare], users: ['user', User], prompts: ['prompt', MessageSquareText], workflows: ['workflow', Waypoints], datasets: ['dataset', Database],
  evaluations: ['evaluation', FlaskConical], skills: ['skill', Boxes], tools: ['tool', Wrench], dashboards: ['dashboard', Gauge],
}

export function recentItems(places: RecentPlace[]): PaletteItem[] {
  return places.map(({ href, title }) => {
    const [note, icon] = areas[href.split('/')[2]?.split('?')[0] ?? ''] ?? [undefined, Clock]
    return { id: `recent:${href}`, group: 'Recent', name: title, note, icon, href }
  })
}

type Entity = Schemas['EntityItem']

interface EntityKind {
  group: string
  icon: LucideIcon
  path: (id: string) => string
}

/** The kinds that the palette finds, and where they open. */
const entityKinds: Record<string, EntityKind> = {
  PROMPT: { group: 'Prompts', icon: MessageSquareText, path: (id) => `prompts/${id}` },
  SNIPPET: { group: 'Snippets', icon: Puzzle, path: (id) => `prompts/${id}` },
  WORKFLOW: { group: 'Workflows', icon: Waypoints, path: (id) => `workflows/${id}` },
  DATASET: { group: 'Datasets', icon: Database, path: (id) => `datasets/${id}` },
  REPORT: { group: 'Evaluations', icon: FlaskConical, path: (id) => `evaluations/${id}` },
  SKILL_COLLECTION: { group: 'Skills', icon: Boxes, path: (id) => `skills/${id}` },
  TOOL: { group: 'Tools', icon: Wrench, path: (id) => `tools/${id}` },
  FOLDER: { group: 'Folders', icon: Folder, path: (id) => `prompts?folder=${id}` },
}

export const entityTypes = ['PROMPT', 'SNIPPET', 'WORKFLOW', 'DATASET', 'REPORT', 'SKILL_COLLECTION', 'TOOL', 'FOLDER'] as const

/**
 * The items found by the server. Results for an earlier text stay until the next
 * response, but match only by name.
 */
export function entityItems(workspace: number, entities: Entity[], stale: boolean): PaletteItem[] {
  return entities.flatMap(({ id, type, name, path }) => {
    const kind = entityKinds[type]
    if (!kind) return []
    // The path of a folder ends with the folder itself.
    const above = type === 'FOLDER' ? path.slice(0, -1) : path
    return [{ id: `${type}:${id}`, group: kind.group, name, icon: kind.icon, note: above.join(' / ') || undefined, found: !stale, href: `/${workspace}/${kind.path(String(id))}` }]
  })
}

export function requestItem(workspace: number, number: number): PaletteItem {
  return { id: `request:${number}`, group: 'Requests', name: `Request ${number}`, words: String(number), found: true, icon: ScrollText, href: `/${workspace}/requests?request=${number}` }
}

export function savedItems(workspace: number, views: Schemas['ViewItem'][], dashboards: Schemas['DashboardItem'][]): PaletteItem[] {
  return [
    ...dashboards.map(({ id, name }) => ({ id: `dashboard:${id}`, group: 'Dashboards', name, icon: Gauge, href: `/${workspace}/dashboards/${id}` })),
    ...views.map(({ id, name, page }) => ({ id: `view:${id}`, group: 'Saved views', name, note: page, icon: FileText, href: `/${workspace}/${page}?view=${id}` })),
  ]
}
