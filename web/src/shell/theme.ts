import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

function current(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

function choose(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  localStorage.setItem('promptuary.theme', theme)
  // Charts use the current colours.
  window.dispatchEvent(new Event('themechange'))
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('themechange', onChange)
  return () => window.removeEventListener('themechange', onChange)
}

/** The theme, which theme.js set before the app started, and a function to change it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, current), choose]
}
