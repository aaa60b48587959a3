import { chosenOf, type Chosen } from './chosen'

/** Opens the browser's dialog to choose files, or a folder with its contents. */
export function chooseFiles({ folder = false }: { folder?: boolean } = {}): Promise<Chosen[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.webkitdirectory = folder
    input.onchange = () => resolve(input.files === null ? [] : chosenOf(input.files))
    input.oncancel = () => resolve([])
    input.click()
  })
}
