import uPlot from 'uplot'
import { axisLabels } from './chart-time'

export type Kind = 'line' | 'area' | 'stacked-area' | 'bars' | 'stacked'

/** A series with everything needed to draw it. */
export interface DrawnSeries {
  label: string
  values: (number | null)[]
  colour: string
  dash: number[]
  /** Whether it stands for a remainder, so that it comes last and cannot be picked. */
  rest?: boolean
}

export interface PlotInput {
  starts: number[]
  /** The length of a bucket, in the unit of the starts. */
  step: number
  series: DrawnSeries[]
  kind: Kind
  format: (value: number) => string
  /** Formats the ticks of an axis that does not show time. */
  formatX?: (value: number) => string
  height: number
  syncKey?: string
  bare: boolean
  utc: boolean
}

export interface CursorPlace {
  index: number
  /** Pixels from the left edge of the chart. */
  left: number
  /** Whether the pointer is over this chart, not over one that shares its crosshair. */
  here: boolean
  /** The index of the series under the pointer. */
  series: number | null
}

export interface PlotHandlers {
  onCursor: (place: CursorPlace | null) => void
  onSelect: (from: number, to: number) => void
  onPick: (series: number, index: number) => void
  onDoubleClick: () => void
}

export const axisWidth = 58

/** Draws a chart in the element. */
export function drawPlot(parent: HTMLElement, input: PlotInput, handlers: PlotHandlers): uPlot {
  const { starts, step, series, kind, bare } = input
  const isStacked = kind === 'stacked' || kind === 'stacked-area'
  const levels = isStacked ? stack(series) : series.map(({ values }) => values)
  // Later series are drawn over earlier ones, so the top of a stack comes first.
  const order = series.map((_, index) => (isStacked ? series.length - 1 - index : index))
  // Values are at the middle of their bucket, so the nearest one is the one under the pointer.
  const middles = starts.map((start) => start + step / 2)
  const seriesAt = (plot: uPlot) => findSeries(plot, input, levels)
  const plot = new uPlot(
    {
      width: Math.max(parent.clientWidth, 50),
      height: input.height,
      // Leave room for the label of the last tick.
      padding: bare ? [4, 0, 0, 0] : [8, 20, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        ...(input.syncKey === undefined ? {} : { sync: crosshairOnly(input.syncKey) }),
        drag: { x: true, y: false, setScale: false },
        points: { show: kind === 'line' || kind === 'area' },
        bind: {
          dblclick: () => () => {
            handlers.onDoubleClick()
            return null
          },
        },
      },
      scales: {
        x: { time: input.formatX === undefined, range: () => [starts[0] ?? 0, (starts.at(-1) ?? 0) + step] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.06 : 1] },
      },
      ...(input.utc ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') } : {}),
      axes: axes(input),
      series: [{}, ...order.map((index) => seriesOptions(input, index, (parent.clientWidth - axisWidth) / starts.length))],
      hooks: {
        setCursor: [
          (self) => {
            const { idx, left } = self.cursor
            if (idx === null || idx === undefined || left === undefined || left < 0) return handlers.onCursor(null)
            const here = self.over.matches(':hover')
            handlers.onCursor({ index: idx, left: left + (bare ? 0 : axisWidth), here, series: here ? seriesAt(self) : null })
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width > 4) handlers.onSelect(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'))
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          },
        ],
      },
    },
    [middles, ...order.map((index) => levels[index] ?? [])],
    parent,
  )
  plot.over.addEventListener('click', () => {
    const found = seriesAt(plot)
    if (found !== null && typeof plot.cursor.idx === 'number') handlers.onPick(found, plot.cursor.idx)
  })
  takeTouches(plot.over)
  return plot
}

/** Charts share the pointer position, but a range is dragged in only one of them. */
function crosshairOnly(key: string): uPlot.Cursor.Sync {
  return { key, scales: ['x', null], filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' } }
}

function axes({ series, format, formatX, bare, utc }: PlotInput): uPlot.Axis[] {
  const style = getComputedStyle(document.documentElement)
  const ink = style.getPropertyValue('--faint')
  const grid = style.getPropertyValue('--line')
  const font = '11px Inter Variable, sans-serif'
  const whole = series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
  return [
    {
      stroke: ink, font, grid: { show: false }, ticks: { stroke: grid, size: 4 }, space: formatX === undefined ? 64 : 56, gap: 3,
      size: (_, labels) => (!bare && labels?.some((label) => label.includes('\n')) ? 34 : 20),
      values: (_, marks, __, ___, increment) => {
        if (formatX !== undefined) return marks.map((mark) => shorter(formatX(mark)))
        const labels = axisLabels(marks, increment, utc)
        return bare ? labels.map((label) => label.replace('\n', ' ')) : labels
      },
    },
    {
      show: !bare, stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: axisWidth, gap: 6, space: 34,
      values: (_, marks) => marks.map((mark) => shorter(format(mark))),
      ...(whole ? { incrs: wholeSteps } : {}),
    },
  ]
}

/** Removes the trailing zeros of a fraction, because axis ticks are round numbers. */
function shorter(label: string): string {
  return label.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '')
}

const wholeSteps = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()

function seriesOptions(input: PlotInput, index: number, room: number): uPlot.Series {
  const { starts, series, kind } = input
  const { label, colour, dash, values } = series[index] as DrawnSeries
  if (kind === 'line' || kind === 'area') {
    return {
      label, stroke: colour, width: starts.length < 100 ? 1.75 : 1.25, dash, fill: kind === 'area' ? colour + '26' : undefined, spanGaps: true,
      points: { show: true, size: starts.length < 40 ? 5 : 4, fill: colour, filter: () => (starts.length < 40 ? null : lonely(values)) },
    }
  }
  const surface = getComputedStyle(document.documentElement).getPropertyValue('--surface')
  if (kind === 'stacked-area') return { label, stroke: surface, width: 1, fill: colour, points: { show: false } }
  return { label, stroke: surface, width: kind === 'stacked' && room > 4.5 ? 1 : 0, fill: colour, points: { show: false }, paths: bars(input, index) }
}

/** The indexes of isolated values: a line alone would not show them. */
function lonely(values: (number | null)[]): number[] {
  return values.flatMap((value, at) => (value !== null && (values[at - 1] === null || values[at + 1] === null) ? [at] : []))
}

const barShare = 0.88

/** Stacked bars take the full width of the bucket; others are drawn side by side. */
function bars({ kind, step, starts, series }: PlotInput, index: number): uPlot.Series.PathBuilder | undefined {
  const count = series.length
  if (kind === 'stacked' || count === 1) return uPlot.paths.bars?.({ size: [barShare, Infinity], align: 0, gap: kind === 'bars' && starts.length < 110 ? 1 : 0 })
  const width = (step * barShare) / count
  return uPlot.paths.bars?.({
    disp: {
      x0: { unit: 1, values: (plot) => Array.from(plot.data[0], (middle) => middle - (step * barShare) / 2 + index * width) },
      size: { unit: 1, values: (plot) => Array.from(plot.data[0], () => width) },
    },
  })
}

/** The heights of the series when each is stacked on those before it. */
export function stack(series: { values: (number | null)[] }[]): number[][] {
  const sums: number[] = []
  return series.map(({ values }) => values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))))
}

/** The series under the pointer: the bar segment, or a line close to it. */
function findSeries(plot: uPlot, { series, kind, step, starts }: PlotInput, levels: (number | null)[][]): number | null {
  const { idx, top, left } = plot.cursor
  if (typeof idx !== 'number' || top === undefined || left === undefined) return null
  const height = plot.posToVal(top, 'y')
  if (kind === 'stacked' || kind === 'stacked-area') {
    const found = levels.findIndex((level) => (level[idx] ?? 0) >= height)
    return found < 0 ? null : found
  }
  if (kind === 'bars') {
    const share = (plot.posToVal(left, 'x') - (starts[idx] ?? 0)) / step
    const number = Math.floor(((share - (1 - barShare) / 2) / barShare) * series.length)
    return number >= 0 && number < series.length && (levels[number]?.[idx] ?? 0) >= height ? number : null
  }
  let nearest: number | null = null
  let distance = 18
  series.forEach(({ values }, index) => {
    const value = values[idx]
    if (value === null || value === undefined) return
    const away = Math.abs(plot.valToPos(value, 'y') - top)
    if (away < distance) [nearest, distance] = [index, away]
  })
  return nearest
}

/** The library only supports mice, so touches are turned into mouse events. Vertical moves still scroll. */
function takeTouches(over: HTMLElement): void {
  over.style.touchAction = 'pan-y'
  let began = { clientX: 0, clientY: 0 }
  const pass = (pointer: string, mouse: string, place: (event: PointerEvent) => { clientX: number; clientY: number }) =>
    over.addEventListener(pointer, (event) => {
      if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return
      const { clientX, clientY } = place(event)
      // The library ignores moves by zero pixels.
      over.dispatchEvent(new MouseEvent(mouse, { bubbles: true, clientX, clientY, button: 0, movementX: 1 }))
    })
  pass('pointerdown', 'mousedown', (event) => (began = { clientX: event.clientX, clientY: event.clientY }))
  pass('pointermove', 'mousemove', (event) => event)
  pass('pointerup', 'mouseup', (event) => event)
  // The page started to scroll: end the drag where it started, so nothing is selected.
  pass('pointercancel', 'mousemove', () => began)
  pass('pointercancel', 'mouseup', () => began)
}
