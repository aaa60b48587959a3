import { useRef, type KeyboardEvent, type PointerEvent } from 'react'

/** The bounds of the width of a column in pixels. */
export const narrowest = 64
export const widest = 1200

/** The width within the bounds, in whole pixels. */
export function boundedWidth(width: number): number {
  return Math.round(Math.min(Math.max(width, narrowest), widest))
}

/** The width after a key was pressed, null to fit the content, and undefined if the key has no meaning. */
export function widthAfterKey(key: string, width: number, fast: boolean): number | null | undefined {
  const step = fast ? 64 : 16
  switch (key) {
    case 'ArrowLeft':
      return boundedWidth(width - step)
    case 'ArrowRight':
      return boundedWidth(width + step)
    case 'Home':
      return narrowest
    case 'End':
      return widest
    case 'Enter':
      return null
    default:
      return undefined
  }
}

/**
 * The right edge of a column header, which changes the width of the column. It
 * is dragged, or moved with the arrow keys. A double click or Enter fits the
 * column to its content.
 */
export function ColumnResizer({ name, width, onWidth }: { name: string; width: number; /** null fits the content. */ onWidth: (width: number | null) => void }) {
  const drag = useRef<{ at: number; width: number } | null>(null)
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    // The last column may be wider than asked for, because it fills the grid.
    drag.current = { at: event.clientX, width: event.currentTarget.parentElement?.getBoundingClientRect().width ?? width }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    if (drag.current !== null && event.clientX !== drag.current.at) onWidth(boundedWidth(drag.current.width + event.clientX - drag.current.at))
  }
  const end = () => {
    drag.current = null
  }
  const press = (event: KeyboardEvent) => {
    const next = widthAfterKey(event.key, width, event.shiftKey)
    if (next === undefined) return
    event.preventDefault()
    onWidth(next)
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of column ${name}`}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      aria-valuenow={boundedWidth(width)}
      aria-valuetext={`${boundedWidth(width)} pixels`}
      tabIndex={0}
      title="Drag to resize, double-click to fit the content"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onLostPointerCapture={end}
      onDoubleClick={() => onWidth(null)}
      onKeyDown={press}
      className="absolute inset-y-0 right-0 w-2 cursor-col-resize touch-none outline-offset-[-2px] hover:bg-accent-soft focus-visible:bg-accent-soft active:bg-accent-soft"
    />
  )
}
