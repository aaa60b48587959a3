import { DropArea as AnyDropArea } from '@/ui/drop-area'
import { useToast } from '@/ui/toast'

/** Accepts a file dropped anywhere on the page. */
export function DropArea({ onFile, words }: { onFile: (file: File) => void; words: string }) {
  const toast = useToast()
  const take = ({ files }: DataTransfer) => {
    const [file] = files
    if (files.length > 1) toast.failed('Drop only one file at a time.')
    else if (file) onFile(file)
  }
  return <AnyDropArea words={words} onDrop={take} />
}
