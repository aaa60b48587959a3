/** Downloads a file in the browser. */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the URL after the click, so release it later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
