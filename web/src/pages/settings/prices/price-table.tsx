import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { SimpleTable, type Column } from '@/ui/table'
import { useDeletePrice } from './price-data'
import { type Price, rates, startText } from './price-form'

const shown = rates.slice(0, 4)

const columns: Column<Price>[] = [
  { header: 'Provider', cell: ({ provider }) => <code className="font-mono text-xs">{provider}</code> },
  { header: 'Model', cell: ({ model }) => <code className="font-mono text-xs">{model}</code> },
  { header: 'Valid from', cell: ({ valid_from }) => startText(valid_from) || 'always', className: 'hidden md:table-cell text-dim whitespace-nowrap' },
  ...shown.map(({ name, label }, index): Column<Price> => ({
    header: label, cell: (price) => price[name] ?? <span className="text-faint">–</span>, className: index < 2 ? 'text-right tabular' : 'hidden lg:table-cell text-right tabular',
  })),
]

/** A list of prices. Custom prices can be edited if `onEdit` is given. */
export function PriceTable({ prices, label, onEdit }: { prices: Price[]; label: string; onEdit?: (price: Price) => void }) {
  const remove = useDeletePrice()
  const actions: Column<Price> = {
    header: <span className="sr-only">Actions</span>,
    className: 'w-12 text-right',
    cell: (price) => (
      <Menu trigger={<IconButton small label={`Actions for ${price.provider} ${price.model}`}><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => onEdit?.(price)}><Pencil /> Edit</MenuItem>
        <MenuItem danger onSelect={() => void remove(price)}><Trash2 /> Delete</MenuItem>
      </Menu>
    ),
  }
  return <SimpleTable label={label} rows={prices} rowKey={({ id, provider, model, valid_from }) => id ?? `${provider} ${model} ${valid_from ?? ''}`} columns={onEdit ? [...columns, actions] : columns} />
}
