import { Boxes, type LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import { nodeTypes } from '@/step/node-types'
import { icons } from '@/step/vocabulary'

/** The icon of a node type. The name of the type is always next to it. */
export function NodeIcon({ type, className }: { type: string; className?: string }) {
  const icon = (icons as Record<string, LucideIcon>)[nodeTypes[type]?.icon ?? '']
  return createElement(icon ?? Boxes, { className, 'aria-hidden': true })
}
