import { DropArea } from './drop-area'
import { useToast } from './toast'

/** Accepts one file dropped anywhere on the page. */
export function FileDrop({ onFile, words }: { onFile: (file: File) => void; words: string }) {
  const toast = useToast()
  const take = ({ files }: DataTransfer) => {
    const [file] = files
    if (files.length > 1) toast.failed('Drop only one file at a time.')
    else if (file) onFile(file)
  }
  return <DropArea words={words} onDrop={take} />
}
