/**
 * Tells Swagger UI which theme the app has, now and when it changes in another
 * tab. Its own switch is not used.
 */
export function followTheme(): void {
  const page = document.documentElement
  const apply = () => page.classList.toggle('dark-mode', page.dataset.theme === 'dark')
  new MutationObserver(apply).observe(page, { attributeFilter: ['data-theme'] })
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'promptuary.theme' && (newValue === 'dark' || newValue === 'light')) page.dataset.theme = newValue
  })
  apply()
}
