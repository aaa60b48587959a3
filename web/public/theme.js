// Runs before the first paint, so that the page never flashes in the other
// theme. Without a choice of the reader, the system's theme holds.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('promptuary.theme')
  } catch {
    // A browser that keeps nothing shows the system's theme.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
