import { Link } from '@tanstack/react-router'
import { CalendarClock, Download } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { cn } from '@/lib/cn'
import { count } from '@/lib/format'
import { Button, buttonClass } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Checkbox, Field, Select } from '@/ui/field'
import { Segments } from '@/ui/segments'
import { useToast } from '@/ui/toast'
import { exportAddress, longestAddress, type Compression, type ExportChoice, type ExportSource } from './address'
import { ColumnChoice } from './column-choice'
import { formatHints, formats } from './formats'

const one = { requests: 'request', traces: 'trace', rows: 'row', entries: 'entry' }

/** Exports everything that a list shows, of any size, as a file. */
export function ExportDialog({ source, noun, total, onClose }: {
  source: ExportSource
  noun: keyof typeof one
  /** The number of items, undefined if it is unknown. */
  total?: number
  onClose: () => void
}) {
  const [choice, setChoice] = useState<ExportChoice>({ format: 'jsonl', compression: 'none', columns: new Set(source.columns), keepFormulas: false })
  const change = (next: Partial<ExportChoice>) => setChoice((old) => ({ ...old, ...next }))
  const toast = useToast()
  const mayManage = useMay('MANAGE_DATA')
  const address = exportAddress(source, choice)
  const tooLong = address.length > longestAddress
  const choosable = source.columns.length > 0
  const ready = (!choosable || choice.columns.size > 0) && !tooLong
  const begin = () => {
    toast.done('The download has started')
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Export ${noun}`}
      description={`Exports ${total === undefined ? `all ${noun}` : `${count(total)} ${total === 1 ? one[noun] : noun}`}${noun === 'rows' ? '' : ` that ${total === 1 ? 'matches' : 'match'} the filters`}. The file is written while it is downloaded.`}
      footer={
        <>
          {source.scheduled && mayManage && (
            <Link
              to="/$workspace/settings/$section"
              params={{ workspace: String(source.workspace), section: 'exports' }}
              search={{ new: true, ...source.scheduled }}
              className={cn(buttonClass('plain'), 'mr-auto')}
            >
              <CalendarClock /> Schedule this export…
            </Link>
          )}
          <Button onClick={onClose}>Cancel</Button>
          {ready ? <a href={address} download className={buttonClass('primary')} onClick={begin}><Download /> Export</a> : <Button look="primary" disabled><Download /> Export</Button>}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-1">
          <Segments label="Format" value={choice.format} options={formats} onChange={(format) => change({ format, compression: format === 'parquet' ? 'zstd' : 'none' })} />
          <p className="text-[13px] text-faint">{formatHints[choice.format]}</p>
        </div>
        <Field label="Compression">
          {(control) => (
            <Select {...control} value={choice.compression} onChange={(event) => change({ compression: event.target.value as Compression })} className="w-40">
              <option value="none">None</option>
              <option value="gzip">gzip</option>
              <option value="zstd">zstd</option>
            </Select>
          )}
        </Field>
        {choice.format === 'csv' && (
          <label className="flex items-start gap-2">
            <Checkbox className="mt-0.5" checked={choice.keepFormulas} onChange={(event) => change({ keepFormulas: event.target.checked })} />
            <span>Keep formulas<span className="block text-[13px] text-faint">Otherwise, texts that a spreadsheet would evaluate get an apostrophe in front.</span></span>
          </label>
        )}
        {choosable && <ColumnChoice columns={source.columns} chosen={choice.columns} onChange={(columns) => change({ columns })} />}
        {tooLong && <p role="alert" className="text-[13px] text-bad">The query is too long for a link. Use a shorter one.</p>}
      </div>
    </Dialog>
  )
}
