import { useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { compact, count, shortTime } from '@/lib/format'
import type { Bar } from './histogram-data'

/** Counts over time, with errors in a different colour. Dragging selects a time range. */
export function HistogramBars({ noun, bars, step, faded, onNarrow }: {
  /** What is counted. */
  noun: string
  bars: Bar[]
  /** The width of a bar in ms. */
  step: number
  faded: boolean
  onNarrow: (from: number, to: number) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<number | null>(null)
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const width = 100 / bars.length
  const indexAt = (x: number) => {
    const rect = box.current?.getBoundingClientRect()
    if (rect === undefined) return 0
    return Math.max(0, Math.min(bars.length - 1, Math.floor(((x - rect.left) / rect.width) * bars.length)))
  }
  const finish = () => {
    setDrag(null)
    if (drag === null) return
    const [low, high] = [bars[Math.min(drag.from, drag.to)], bars[Math.max(drag.from, drag.to)]]
    if (low !== undefined && high !== undefined) onNarrow(low.at, high.at + step - 1)
  }
  const shown = hover === null ? undefined : bars[hover]
  const [first, last] = [bars[0], bars.at(-1)]
  const total = bars.reduce((sum, { good, bad }) => sum + good + bad, 0)
  const errors = bars.reduce((sum, { bad }) => sum + bad, 0)
  return (
    <div className="relative h-16 px-4 select-none md:px-5">
      <div
        ref={box}
        role="img"
        aria-label={`${noun} over time: ${count(total)} in total, ${count(errors)} failed. Highest bar: ${count(most)}.`}
        title="Drag to select a time range"
        className={cn('relative h-12 cursor-crosshair touch-none transition-opacity', faded && 'opacity-50')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const at = indexAt(event.clientX)
          setDrag({ from: at, to: at })
        }}
        onPointerMove={(event) => {
          const at = indexAt(event.clientX)
          setHover(at)
          if (drag !== null) setDrag({ ...drag, to: at })
        }}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setHover(null)}
      >
        <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {bars.map((bar, index) => {
            const [x, w] = [index * width + width * 0.08, width * 0.84]
            // Bars have a minimum height, so that small counts are visible.
            const bad = bar.bad === 0 ? 0 : Math.max(4, (bar.bad / most) * 100)
            const good = bar.good === 0 ? 0 : Math.max(3, (bar.good / most) * 100 - (bar.bad === 0 ? 0 : bad - (bar.bad / most) * 100))
            return (
              <g key={bar.at}>
                {good > 0 && <rect x={x} width={w} y={100 - good - bad} height={good} className={cn('fill-accent', index !== hover && 'opacity-55')} />}
                {bad > 0 && <rect x={x} width={w} y={100 - bad} height={bad} className="fill-bad" />}
              </g>
            )
          })}
          <line x1="0" x2="100" y1="100" y2="100" className="stroke-line-strong" vectorEffect="non-scaling-stroke" />
        </svg>
        {drag !== null && (
          <div aria-hidden className="absolute inset-y-0 border-x border-accent bg-accent/20" style={{ left: `${Math.min(drag.from, drag.to) * width}%`, width: `${(Math.abs(drag.to - drag.from) + 1) * width}%` }} />
        )}
        {shown !== undefined && hover !== null && (
          <div aria-hidden className={cn('pointer-events-none absolute top-0 z-20 rounded bg-ink px-1.5 py-0.5 text-xs whitespace-nowrap text-canvas', hover > bars.length / 2 ? '-translate-x-full' : '')} style={{ left: `calc(${(hover + (hover > bars.length / 2 ? 0 : 1)) * width}% ${hover > bars.length / 2 ? '-' : '+'} 6px)` }}>
            {drag !== null && drag.from !== drag.to
              ? `${shortTime(new Date(bars[Math.min(drag.from, drag.to)]?.at ?? 0))} – ${shortTime(new Date((bars[Math.max(drag.from, drag.to)]?.at ?? 0) + step))}`
              : `${shortTime(new Date(shown.at))} · ${compact(shown.good + shown.bad)}${shown.bad > 0 ? `, ${compact(shown.bad)} failed` : ''}`}
          </div>
        )}
      </div>
      <div aria-hidden className="tabular flex justify-between text-[11px] leading-4 text-faint">
        <span>{first && shortTime(new Date(first.at))}</span>
        <span>{last && shortTime(new Date(last.at + step))}</span>
      </div>
    </div>
  )
}
