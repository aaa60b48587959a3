/** Hands a file to the person. */
export function download(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the file after the click; a moment later it is no longer needed.
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}
