import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { datasetsKey, versionsQuery } from '@/dataset/data'
import { encodeBody } from './body'
import { upload } from './upload'

/** The step of an import; `share` is the completed fraction, or null if unknown. */
export type Step =
  | { at: 'idle' }
  | { at: 'reading' | 'sending' | 'importing'; share: number | null }
  | { at: 'failed'; message: string }

/** The target of a file: an existing group, or a new one with a name. */
export type Destination = { group: number } | { name: string }

export interface Imported {
  group: number
  dataset: number
  version: number
}

/** Imports a file. If it is refused or stopped, the group of a new dataset is deleted again. */
export function useImport(onDone: (imported: Imported) => void) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step>({ at: 'idle' })
  const stopper = useRef<AbortController>(null)
  const made = useRef<{ name: string; group: number }>(null)
  // Beside the step, because the caller may leave before the next render.
  const busy = useRef(false)
  useEffect(() => () => stopper.current?.abort(), [])

  const groupOf = async (destination: Destination): Promise<number> => {
    if ('group' in destination) return destination.group
    if (made.current?.name === destination.name) return made.current.group
    const { dataset_group } = await call(api.POST('/api/public/v2/dataset-groups', { body: { name: destination.name } }))
    made.current = { name: destination.name, group: dataset_group.id }
    return dataset_group.id
  }
  /** Deletes the group that was created for the import. A role that may not delete keeps it for the next try. */
  const discard = async () => {
    if (made.current === null) return
    const { group } = made.current
    const answer = await api.DELETE('/api/public/v2/folders/entities', { body: { entities: [{ id: group, type: 'DATASET' }] } }).catch(() => null)
    if (answer?.response.ok === true) made.current = null
  }
  const waitForVersion = async (group: number, dataset: number, signal: AbortSignal): Promise<number> => {
    for (;;) {
      signal.throwIfAborted()
      const versions = await queryClient.fetchQuery({ ...versionsQuery(workspace, group), staleTime: 0 })
      const version = versions.find(({ id }) => id === dataset)?.version_number ?? -1
      if (version > 0) return version
      await new Promise((resolve) => setTimeout(resolve, 700))
    }
  }
  const start = async (file: File, destination: Destination) => {
    const control = new AbortController()
    stopper.current = control
    busy.current = true
    try {
      setStep({ at: 'reading', share: 0 })
      const group = await groupOf(destination)
      const body = await encodeBody(file, { group, fileName: file.name }, (share) => setStep({ at: 'reading', share }), control.signal)
      setStep({ at: 'sending', share: 0 })
      const dataset = await upload(body, (share) => setStep(share < 1 ? { at: 'sending', share } : { at: 'importing', share: null }), control.signal)
      setStep({ at: 'importing', share: null })
      const version = await waitForVersion(group, dataset, control.signal)
      setStep({ at: 'idle' })
      busy.current = false
      made.current = null
      onDone({ group, dataset, version })
    } catch (error) {
      await discard()
      if (control.signal.aborted) setStep({ at: 'idle' })
      else setStep({ at: 'failed', message: error instanceof Error ? error.message : String(error) })
    } finally {
      busy.current = false
      await queryClient.invalidateQueries({ queryKey: datasetsKey(workspace) })
    }
  }
  return { step, start: (file: File, destination: Destination) => void start(file, destination), stop: () => stopper.current?.abort(), isBusy: () => busy.current }
}
