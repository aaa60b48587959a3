import type { Column } from '../model/session'
import type { Opened } from '../opened'
import type { Playground } from '../use-playground'

export interface ColumnProps {
  column: Column
  /** From 1, as it is shown. */
  position: number
  playground: Playground
  onOpen: (opened: Opened) => void
}
