import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { useConfirm } from '@/ui/dialog'
import { useToast } from '@/ui/toast'
import { abTestsQuery, promptsKey, type Prompt } from '../data'

/** A label and the version that it points at. */
export interface PlacedLabel {
  id: number
  name: string
  version: number
}

/** What can be done to the labels of a template. Whatever replaces something asks first. */
export function useLabelActions(prompt: Prompt) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const tests = useQuery(abTestsQuery(workspace, prompt.id)).data ?? []
  const refresh = () => queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
  const done = (words: string) => {
    toast.done(words)
    return refresh()
  }
  const place = useMutation({
    mutationFn: ({ label, version }: { label: PlacedLabel; version: number }) => call(api.PATCH('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } }, body: { prompt_version_number: version } })),
    onSuccess: (_, { label, version }) => done(`${label.name} now points at version ${version}`),
    onError: toast.failed,
  })
  const create = useMutation({
    mutationFn: ({ name, version }: { name: string; version: number }) => call(api.POST('/prompts/{prompt_id}/label', { params: { path: { prompt_id: prompt.id } }, body: { name, prompt_version_number: version } })),
    onSuccess: (_, { name, version }) => done(`${name} points at version ${version}`),
  })
  const remove = useMutation({
    mutationFn: (label: PlacedLabel) => call(api.DELETE('/prompt-labels/{prompt_label_id}', { params: { path: { prompt_label_id: label.id } } })),
    onSuccess: (_, label) => done(`The label ${label.name} was deleted`),
    onError: toast.failed,
  })
  const move = async (label: PlacedLabel, version: number) => {
    if (label.version === version) return
    const test = tests.find(({ release_label_id }) => release_label_id === label.id)
    const yes = await confirm({
      title: `Move ${label.name} to version ${version}?`,
      body:
        test === undefined
          ? `${label.name} points at version ${label.version} now. Programs that fetch ${prompt.prompt_name} by this label get version ${version} in its place, from the next fetch on.`
          : `${label.name} points at version ${label.version} now. The A/B test ${test.name} stands behind it: fetches go on by the shares of the test, and get version ${version} when it ends.`,
      action: `Replace version ${label.version} by ${version}`,
    })
    if (yes) place.mutate({ label, version })
  }
  const askToDelete = async (label: PlacedLabel) => {
    const yes = await confirm({
      title: `Delete the label ${label.name}?`,
      body: `It points at version ${label.version}. Programs that fetch ${prompt.prompt_name} by it get an error from then on, and an A/B test behind it ends. The version stays.`,
      action: 'Delete the label',
      danger: true,
    })
    if (yes) remove.mutate(label)
  }
  return { create, move, askToDelete }
}
