import { ArrowDown, ArrowUp } from 'lucide-react'
import { cn } from '@/lib/cn'
import type { Column } from '@/ui/table'

/** How a list is sorted, and how to change it. */
export interface Sorting<Field extends string> {
  sort: Field
  order: 'asc' | 'desc'
  onSort: (field: Field, order: 'asc' | 'desc') => void
}

/** The header of a column that a list can be sorted by. Without sorting, it is only a title. */
export function sortable<Field extends string>(sorting: Sorting<Field> | undefined, field: Field, title: string): Pick<Column<unknown>, 'header' | 'sorted'> {
  if (sorting === undefined) return { header: title }
  const order = sorting.sort === field ? sorting.order : undefined
  return {
    header: <SortButton title={title} order={order} onClick={() => sorting.onSort(field, order === 'desc' ? 'asc' : 'desc')} />,
    sorted: order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending',
  }
}

function SortButton({ title, order, onClick }: { title: string; order: 'asc' | 'desc' | undefined; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick} title={`Sort by ${title.toLowerCase()}`} className={cn('inline-flex items-center gap-1 rounded hover:text-ink', order && 'text-ink')}>
      {title}
      {order === 'asc' && <ArrowUp className="size-3" />}
      {order === 'desc' && <ArrowDown className="size-3" />}
    </button>
  )
}
