import { BellRing, Boxes, ChartNoAxesColumn, Database, FlaskConical, ListTree, MessageSquareText, MessagesSquare, Play, ScrollText, Settings, Users, Waypoints, Wrench } from 'lucide-react'

/** The pages reached by pressing g and then a letter. */
export const goPlaces = [
  { key: 'r', path: 'requests', label: 'Requests', icon: ScrollText },
  { key: 'c', path: 'traces', label: 'Traces', icon: ListTree },
  { key: 'o', path: 'sessions', label: 'Sessions', icon: MessagesSquare },
  { key: 'u', path: 'users', label: 'Users', icon: Users },
  { key: 'a', path: 'analytics', label: 'Analytics', icon: ChartNoAxesColumn },
  { key: 'b', path: 'alerts', label: 'Alerts', icon: BellRing },
  { key: 'p', path: 'prompts', label: 'Prompts', icon: MessageSquareText },
  { key: 'l', path: 'playground', label: 'Playground', icon: Play },
  { key: 'w', path: 'workflows', label: 'Workflows', icon: Waypoints },
  { key: 'd', path: 'datasets', label: 'Datasets', icon: Database },
  { key: 'e', path: 'evaluations', label: 'Evaluations', icon: FlaskConical },
  { key: 'k', path: 'skills', label: 'Skills', icon: Boxes },
  { key: 't', path: 'tools', label: 'Tools', icon: Wrench },
  { key: 's', path: 'settings/account', label: 'Settings', icon: Settings },
] as const
