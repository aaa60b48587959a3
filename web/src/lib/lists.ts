import { useState } from 'react'

/** Helpers that return a copy of a list with one change. */
export function replaced<T>(list: T[], index: number, element: T): T[] {
  return list.map((one, at) => (at === index ? element : one))
}

export function without<T>(list: T[], index: number): T[] {
  return list.filter((_, at) => at !== index)
}

export function inserted<T>(list: T[], index: number, element: T): T[] {
  return [...list.slice(0, index), element, ...list.slice(index)]
}

export function moved<T>(list: T[], from: number, to: number): T[] {
  const element = list[from]
  return element === undefined ? list : inserted(without(list, from), to, element)
}

let lastKey = 0

/**
 * Keys for list elements that have no id, so that each element keeps its editor
 * and its undo history when others move.
 */
export function useKeys(length: number) {
  const [keys, setKeys] = useState<number[]>([])
  let current = keys
  if (keys.length !== length) {
    current = Array.from({ length }, (_, index) => keys[index] ?? ++lastKey)
    setKeys(current)
  }
  return {
    at: (index: number) => current[index] ?? index,
    move: (from: number, to: number) => setKeys(moved(current, from, to)),
    remove: (index: number) => setKeys(without(current, index)),
    insert: (index: number) => setKeys(inserted(current, index, ++lastKey)),
  }
}
