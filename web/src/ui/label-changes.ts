import { useMutation } from '@tanstack/react-query'
import { useConfirm } from './dialog'
import { useToast } from './toast'

/** A label and the version that it points at. */
export interface PlacedLabel {
  id: number
  name: string
  version: number
}

/** How the labels of one thing are changed at the server, and what is said before. */
interface LabelCalls {
  create: (name: string, version: number) => Promise<unknown>
  move: (label: PlacedLabel, version: number) => Promise<unknown>
  remove: (label: PlacedLabel) => Promise<unknown>
  /** Loads again what shows labels. */
  refresh: () => Promise<unknown>
  /** What follows when a label points at another version. */
  afterMove: (label: PlacedLabel, version: number) => string
  /** What follows when there is no such label any more. */
  afterDelete: string
}

export type LabelChanges = ReturnType<typeof useLabelChanges>

/** What can be done to labels. Whatever replaces something asks first. */
export function useLabelChanges(calls: LabelCalls) {
  const toast = useToast()
  const confirm = useConfirm()
  const done = (words: string) => {
    toast.done(words)
    return calls.refresh()
  }
  const create = useMutation({
    mutationFn: ({ name, version }: { name: string; version: number }) => calls.create(name, version),
    onSuccess: (_, { name, version }) => done(`${name} points at version ${version}`),
  })
  const place = useMutation({
    mutationFn: ({ label, version }: { label: PlacedLabel; version: number }) => calls.move(label, version),
    onSuccess: (_, { label, version }) => done(`${label.name} now points at version ${version}`),
    onError: toast.failed,
  })
  const remove = useMutation({
    mutationFn: calls.remove,
    onSuccess: (_, label) => done(`The label ${label.name} was deleted`),
    onError: toast.failed,
  })
  const move = async (label: PlacedLabel, version: number) => {
    if (label.version === version) return
    const yes = await confirm({
      title: `Move ${label.name} to version ${version}?`,
      body: `${label.name} points at version ${label.version} now. ${calls.afterMove(label, version)}`,
      action: `Replace version ${label.version} by ${version}`,
    })
    if (yes) place.mutate({ label, version })
  }
  const askToDelete = async (label: PlacedLabel) => {
    const yes = await confirm({
      title: `Delete the label ${label.name}?`,
      body: `It points at version ${label.version}. ${calls.afterDelete} The version stays.`,
      action: 'Delete the label',
      danger: true,
    })
    if (yes) remove.mutate(label)
  }
  return { create, move, askToDelete }
}
