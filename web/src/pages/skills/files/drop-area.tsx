import { DropArea as AnyDropArea } from '@/ui/drop-area'
import { useToast } from '@/ui/toast'
import { droppedOf, type Chosen } from './chosen'

/** Accepts files and folders dropped anywhere on the page. */
export function DropArea({ onFiles, words }: { onFiles: (chosen: Chosen[]) => void; words: string }) {
  const toast = useToast()
  return <AnyDropArea words={words} onDrop={(transfer) => void droppedOf(transfer).then((chosen) => chosen.length > 0 && onFiles(chosen), toast.failed)} />
}
