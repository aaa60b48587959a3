import { useMutation } from '@tanstack/react-query'
import { useConfirm } from './dialog'
import { useToast } from './toast'

/** A label and the version it points to. */
export interface PlacedLabel {
  id: number
  name: string
  version: number
}

/** The API calls that change the labels of one thing, and the texts of the confirmations. */
interface LabelCalls {
  create: (name: string, version: number) => Promise<unknown>
  move: (label: PlacedLabel, version: number) => Promise<unknown>
  remove: (label: PlacedLabel) => Promise<unknown>
  /** Reloads everything that shows labels. */
  refresh: () => Promise<unknown>
  /** What happens when a label points to a different version. */
  afterMove: (label: PlacedLabel, version: number) => string | Promise<string>
  /** What happens when the label no longer exists. */
  afterDelete: (label: PlacedLabel) => string | Promise<string>
}

export type LabelChanges = ReturnType<typeof useLabelChanges>

/** The actions on labels. Asks for confirmation before replacing anything. */
export function useLabelChanges(calls: LabelCalls) {
  const toast = useToast()
  const confirm = useConfirm()
  const done = (words: string) => {
    toast.done(words)
    return calls.refresh()
  }
  const create = useMutation({
    mutationFn: ({ name, version }: { name: string; version: number }) => calls.create(name, version),
    onSuccess: (_, { name, version }) => done(`${name} points to version ${version}`),
  })
  const place = useMutation({
    mutationFn: ({ label, version }: { label: PlacedLabel; version: number }) => calls.move(label, version),
    onSuccess: (_, { label, version }) => done(`${label.name} now points to version ${version}`),
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: calls.remove,
    onSuccess: (_, label) => done(`Label ${label.name} deleted`),
    onError: toast.failed,
  })
  const move = async (label: PlacedLabel, version: number) => {
    if (label.version === version) return
    const effect = await calls.afterMove(label, version)
    const yes = await confirm({
      title: `Move ${label.name} to version ${version}?`,
      body: `${label.name} currently points to version ${label.version}. ${effect}`,
      action: `Move to version ${version}`,
    })
    if (yes) place.mutate({ label, version })
  }
  const askToDelete = async (label: PlacedLabel) => {
    const effect = await calls.afterDelete(label)
    const yes = await confirm({
      title: `Delete label ${label.name}?`,
      body: `It points to version ${label.version}. ${effect} The version itself is kept.`,
      action: 'Delete label',
      danger: true,
    })
    if (yes) remove.mutate(label)
  }
  return { create, move, askToDelete }
}
