import { FileUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button'

/** A button to choose a file. */
export function FileButton({ onFile, accept, children, small, look }: {
  onFile: (file: File) => void
  /** The endings and types of the files that the browser offers. */
  accept?: string
  children?: ReactNode
  small?: boolean
  look?: 'primary' | 'plain'
}) {
  return (
    <Button
      small={small}
      look={look}
      onClick={() => {
        const input = document.createElement('input')
        input.type = 'file'
        if (accept !== undefined) input.accept = accept
        input.onchange = () => {
          const file = input.files?.[0]
          if (file) onFile(file)
        }
        input.click()
      }}
    >
      <FileUp /> {children ?? 'Import file'}
    </Button>
  )
}
