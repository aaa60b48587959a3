import { useSyncExternalStore } from 'react'

/*
 * Colours of series, in the same order everywhere. Neighbours differ in both
 * lightness and hue. The first eight have a contrast of 3:1 with the surface of
 * their theme; the others are shades of them for charts with many series.
 */
const light = ['#0f766e', '#d97706', '#4f46e5', '#db2777', '#0284c7', '#5c8d0b', '#7e22ce', '#78716c', '#5eb5ab', '#f2b56b', '#9b95f0', '#f08cbb', '#7cc4ea', '#a9cf5e', '#b98be0', '#b5afa9']
const dark = ['#2dd4bf', '#f59e0b', '#818cf8', '#f472b6', '#38bdf8', '#a3e635', '#c084fc', '#a8a29e', '#0f8c7e', '#b4690a', '#5a5fd0', '#b53f84', '#1b82b5', '#6f9f1d', '#8b4cc9', '#78716c']

function watchTheme(changed: () => void): () => void {
  window.addEventListener('themechange', changed)
  return () => window.removeEventListener('themechange', changed)
}

/** The current theme. Components that use it redraw when it changes. */
export function useChartTheme(): 'light' | 'dark' {
  return useSyncExternalStore(watchTheme, () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'))
}

/** The colour of the series with this index, from 0. */
export function seriesColour(index: number, theme: 'light' | 'dark'): string {
  const palette = theme === 'dark' ? dark : light
  return palette[index % palette.length] ?? '#78716c'
}

/** Resolves a colour: a literal value, or a CSS variable such as --bad. */
export function colourValue(colour: string): string {
  return colour.startsWith('--') ? getComputedStyle(document.documentElement).getPropertyValue(colour).trim() : colour
}

const dashes: number[][] = [[], [7, 3], [2, 3], [9, 3, 2, 3]]

/** The dash pattern of a series, so that lines differ by more than colour. */
export function seriesDash(index: number): number[] {
  return dashes[index % dashes.length] ?? []
}
