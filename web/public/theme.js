// Runs before the first paint, so that the page never flashes in the other
// theme. Without a stored choice, the theme of the system applies.
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('promptuary.theme')
  } catch {
    // Without storage, the theme of the system applies.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
