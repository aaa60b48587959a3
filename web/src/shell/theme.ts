import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

function current(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

function choose(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  localStorage.setItem('promptuary.theme', theme)
  // Charts are drawn with the colours of the moment.
  window.dispatchEvent(new Event('themechange'))
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('themechange', onChange)
  return () => window.removeEventListener('themechange', onChange)
}

/** The theme, which theme.js has set before the app began, and a function to choose one. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, current), choose]
}
