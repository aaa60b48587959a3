import 'uplot/dist/uPlot.min.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { colourValue, seriesColour, seriesDash, useChartTheme } from './chart-colours'
import { Legend, Reading } from './chart-parts'
import { drawPlot, type CursorPlace, type DrawnSeries, type Kind } from './chart-plot'
import { bucketName } from './chart-time'

export { BarList } from './bar-list'

export interface Series {
  label: string
  values: (number | null)[]
  /** A colour, or a CSS variable such as --bad. Defaults to the colour of its index. */
  colour?: string
  /** Whether it stands for a remainder, so that it comes last and cannot be picked. */
  rest?: boolean
}

export interface TimeChartProps {
  /** The starts of the buckets in seconds since 1970. */
  times: number[]
  series: Series[]
  /** Stacked bars and areas are drawn on top of each other; `bars` of several series are drawn side by side. */
  kind?: Kind
  /** Whether to show the sum of a bucket. Defaults to true for stacks. */
  sum?: boolean
  format?: (value: number) => string
  height?: number
  /** Charts with the same key share the crosshair. */
  syncKey?: string
  /** Called with the dragged range in milliseconds since 1970, widened to whole buckets. */
  onZoom?: (from: number, to: number) => void
  /** Called on a double click. */
  onZoomOut?: () => void
  /** Called with the indexes of the clicked series and bucket. */
  onPick?: (series: number, bucket: number) => void
  /** Hides axes and legend, for a strip above a table. */
  bare?: boolean
  /** The length of a bucket in seconds. Derived from the times by default. */
  step?: number
  /** Shows times in UTC, for buckets of days, which start at midnight UTC. */
  utc?: boolean
  /** Formats the axis values when the axis shows numbers instead of times. */
  formatX?: (value: number) => string
  /** The accessible name. */
  label: string
  className?: string
}

/** A chart over time. Dragging selects a range. */
export function TimeChart(props: TimeChartProps) {
  const { times, series, kind = 'line', format = String, height = 200, syncKey, onZoom, onPick, bare = false, utc = false, formatX, label, className } = props
  const sum = props.sum ?? (kind === 'stacked' || kind === 'stacked-area')
  const theme = useChartTheme()
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [place, setPlace] = useState<CursorPlace | null>(null)
  const step = props.step ?? smallestStep(times)
  const drawn = useMemo(
    () => series.map((one, index): DrawnSeries => ({ ...one, colour: colourValue(one.colour ?? seriesColour(index, theme)), dash: kind === 'line' && times.length <= mostDashed ? seriesDash(index) : [] })),
    [series, theme, kind, times.length],
  )
  const shown = useMemo(() => drawn.filter((one) => !hidden.has(one.label)), [drawn, hidden])
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const parent = host.current
    if (parent === null) return
    const plot = drawPlot(parent, { starts: times, step, series: shown, kind, format, formatX, height, syncKey, bare, utc }, {
      onCursor: setPlace,
      onSelect: (from, to) => latest.current.onZoom?.(...wholeBuckets(from, to, times, step)),
      onPick: (number, bucket) => {
        const found = latest.current.series.findIndex((one) => one.label === shown[number]?.label)
        if (found >= 0 && shown[number]?.rest !== true) latest.current.onPick?.(found, bucket)
      },
      onDoubleClick: () => latest.current.onZoomOut?.(),
    })
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(parent.clientWidth, 50), height }))
    observer.observe(parent)
    return () => {
      observer.disconnect()
      plot.destroy()
      setPlace(null)
    }
  }, [times, step, shown, kind, format, formatX, height, syncKey, bare, utc])
  const start = place === null ? undefined : times[place.index]
  return (
    <div className={cn('relative min-w-0 text-xs', className)}>
      {!bare && series.length > 1 && <Legend series={drawn} hidden={hidden} onChange={setHidden} line={kind === 'line'} />}
      <div ref={host} role="img" aria-label={label} className={cn('overflow-hidden', onZoom && 'cursor-crosshair', onPick && place?.here && place.series !== null && shown[place.series]?.rest !== true && 'cursor-pointer')} />
      {place !== null && start !== undefined && (
        <Reading
          place={place}
          title={formatX ? `${formatX(start)} – ${formatX(start + step)}` : bucketName(start, step, utc)}
          series={shown}
          format={format}
          sum={sum}
          below={bare}
        />
      )}
    </div>
  )
}

// With more points than this, dashes are not recognisable.
const mostDashed = 60

function smallestStep(times: number[]): number {
  let smallest = Infinity
  for (let at = 1; at < times.length; at++) smallest = Math.min(smallest, (times[at] ?? 0) - (times[at - 1] ?? 0))
  return Number.isFinite(smallest) && smallest > 0 ? smallest : 3600
}

/** Widens a range to whole buckets, in milliseconds. */
function wholeBuckets(from: number, to: number, starts: number[], step: number): [number, number] {
  const low = starts.findLast((start) => start <= from) ?? from
  const high = (starts.findLast((start) => start < to) ?? to) + step
  return [low * 1000, high * 1000 - 1]
}
