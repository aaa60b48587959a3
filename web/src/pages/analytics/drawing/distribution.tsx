import { useMemo } from 'react'
import { duration, money } from '@/lib/format'
import { TimeChart } from '@/ui/chart'
import { fieldOf } from '@/query/fields'
import { firstKey, valueAt } from '../model/rows'
import { formatOf, plainNumber } from '../model/units'
import type { DrawingProps } from './types'

const mostBins = 2000

/** A histogram of a number. Clicking or dragging filters by the range. */
export function Distribution({ chart, answer, height = 200, onNarrowRange }: DrawingProps) {
  const field = chart.histogramField ?? 'latency_ms'
  const { starts, values, width } = useMemo(() => bins(answer.data, firstKey(answer)), [answer])
  const series = useMemo(() => [{ label: answer.series[0]?.label ?? '', values }], [answer, values])
  const narrow = (from: number, to: number) => onNarrowRange?.(field, tidy(from), tidy(to), chart.histogramNestedKey)
  return (
    <TimeChart
      times={starts}
      step={width}
      series={series}
      kind="bars"
      format={formatOf(answer.series[0]?.unit)}
      formatX={boundFormats[fieldOf(field).unit ?? ''] ?? plainNumber}
      height={height}
      label={chart.title}
      onPick={onNarrowRange && ((_, bin) => narrow(starts[bin] ?? 0, (starts[bin] ?? 0) + width))}
      // The chart reports times in milliseconds up to the last one of a bucket.
      onZoom={onNarrowRange && ((from, to) => narrow(from / 1000, (to + 1) / 1000))}
    />
  )
}

const boundFormats: Record<string, ((value: number) => string) | undefined> = { ms: duration, dollars: money }

/** The bins, including empty ones between them. */
function bins(rows: DrawingProps['answer']['data'], key: string): { starts: number[]; values: (number | null)[]; width: number } {
  const found = new Map(rows.map((row) => [valueAt(row, 'bucketStart') ?? 0, valueAt(row, key)]))
  const width = tidy((valueAt(rows[0] ?? {}, 'bucketEnd') ?? 1) - (valueAt(rows[0] ?? {}, 'bucketStart') ?? 0))
  const [first, last] = [Math.min(...found.keys()), Math.max(...found.keys())]
  const count = Math.round((last - first) / width) + 1
  const starts = count <= mostBins ? Array.from({ length: count }, (_, index) => tidy(first + index * width)) : [...found.keys()]
  return { starts, values: starts.map((start) => found.get(start) ?? 0), width }
}

/** Removes the rounding errors of adding fractions. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
