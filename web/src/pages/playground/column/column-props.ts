import type { Column } from '../model/session'
import type { Opened } from '../opened'
import type { Playground } from '../use-playground'

export interface ColumnProps {
  column: Column
  /** The displayed position, from 1. */
  position: number
  playground: Playground
  onOpen: (opened: Opened) => void
}
