import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useConfirm } from '@/ui/dialog'
import { createImport, uploadRest, useDelete, useRefreshImports } from './import-data'

/** An upload of this browser. */
export interface Upload {
  id: number
  share: number
  /** Why it stopped, null while it goes on or is complete. */
  error: string | null
}

/** Uploads one file at a time, and remembers which imports have their whole file. */
export function useUpload() {
  const [upload, setUpload] = useState<Upload | null>(null)
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set())
  const control = useRef<AbortController>(null)
  const refresh = useRefreshImports()
  const remove = useDelete()
  const confirm = useConfirm()
  useEffect(() => () => control.current?.abort(), [])
  const busy = upload !== null && upload.error === null

  /** Uploads the rest of the file of an import. */
  const send = async (id: number, file: File) => {
    const { signal } = (control.current = new AbortController())
    setUpload({ id, share: 0, error: null })
    try {
      await uploadRest(id, file, (share) => setUpload({ id, share, error: null }), signal)
      setWhole((old) => new Set(old).add(id))
      setUpload(null)
    } catch (error) {
      setUpload(signal.aborted ? null : { id, share: 0, error: error instanceof Error ? error.message : String(error) })
    }
    await refresh()
  }
  /** Creates the import of a file, whose upload begins. */
  const begin = async (file: File): Promise<number> => {
    const { id } = await createImport(file.name)
    await refresh()
    void send(id, file)
    return id
  }
  /** Asks whether to stop an upload that is not complete, and deletes its import. */
  const leave = async (): Promise<boolean> => {
    if (!busy) return true
    if (!(await confirm({ title: 'Stop upload?', body: 'The file is not imported.', action: 'Stop upload', danger: true }))) return false
    control.current?.abort()
    setUpload(null)
    await remove.mutateAsync(upload.id).catch(() => undefined) // then it stays in the list
    return true
  }
  useBlocker({ shouldBlockFn: async ({ current, next }) => busy && current.pathname !== next.pathname && !(await leave()), enableBeforeUnload: busy })
  return { upload, whole, begin, send, leave }
}
