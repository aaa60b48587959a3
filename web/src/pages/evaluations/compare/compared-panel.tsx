import { FullValue, RecordPanel } from '@/dataset/record-panel'
import { editable } from '@/dataset/value'
import type { Cell, Comparison } from '@/evaluation/data'
import { CodeDiff } from '@/ui/code'
import { Loading } from '@/ui/page'
import { FullCell } from '../run/cell-state'
import { ChangeWord } from './changed-cell'

type ComparedRow = Comparison['rows'][number]
type Side = ComparedRow['cells'][number]['before']

/** A row of two runs: its input, and its results in each run. */
export function ComparedPanel({ index, total, comparison, row, given, inputs, onIndex, onClose }: {
  index: number
  total: number
  comparison: Comparison
  row: ComparedRow | undefined
  /** The dataset columns, with their cells in the later run. */
  given: string[]
  inputs: Cell[] | undefined
  onIndex: (index: number) => void
  onClose: () => void
}) {
  return (
    <RecordPanel index={index} total={total} number={row === undefined || row.position === index ? undefined : row.position + 1} onIndex={onIndex} onClose={onClose}>
      {row === undefined ? (
        <Loading />
      ) : (
        <>
          {comparison.columns.map(({ name }, at) => {
            const cell = row.cells[at]
            if (cell === undefined) return null
            return (
              <section key={name} className="border-b border-line px-4 py-2.5">
                <h3 className="mb-1 flex items-center gap-3 text-xs font-medium text-faint">{name} <ChangeWord change={cell.change} /></h3>
                {isText(cell.before) && isText(cell.after) && cell.change !== 'same' ? (
                  <CodeDiff key={row.position} unified before={editable(cell.before?.value, 'text')} after={editable(cell.after?.value, 'text')} />
                ) : cell.change === 'same' ? (
                  <Sided side={cell.after} />
                ) : (
                  <div className="grid grid-cols-2 gap-4">
                    <div><p className="mb-1 truncate text-xs text-faint">{comparison.before.name}</p><Sided side={cell.before} /></div>
                    <div><p className="mb-1 truncate text-xs text-faint">{comparison.after.name}</p><Sided side={cell.after} /></div>
                  </div>
                )}
              </section>
            )
          })}
          <div className="bg-sunken px-4 py-2 text-xs font-medium text-dim">Dataset row</div>
          {given.map((name, at) => (
            <section key={name} className="border-b border-line px-4 py-2.5">
              <h3 className="mb-1 text-xs font-medium text-faint">{name}</h3>
              <FullValue value={inputs?.[at]?.value} />
            </section>
          ))}
        </>
      )}
    </RecordPanel>
  )
}

/** Longer texts are shown as a diff. */
function isText(side: Side): boolean {
  return side?.status === 'PASSED' && typeof side.value === 'string' && side.value.length > 12
}

function Sided({ side }: { side: Side }) {
  if (side === null) return <span className="text-faint italic">no row</span>
  return <FullCell cell={side} />
}
