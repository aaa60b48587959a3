import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import type { RequestItem } from '@/request/data'
import { useToast } from '@/ui/toast'
import { metadataOf, replaceItem } from '../log-query'

/** Changes a metadata key. */
export function useMetadataChange(item: RequestItem) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (changes: Record<string, unknown>) => call(api.POST('/rest/track-metadata', { body: { request_id: item.id, metadata: changes } })),
    onSuccess: (_, changes) => {
      const merged = { ...metadataOf(item), ...changes }
      replaceItem(queryClient, workspace, { ...item, metadata: Object.entries(merged).map(([key, value]) => ({ [key]: value })) })
      toast.done(`${Object.keys(changes).join(', ')} saved`)
    },
    onError: toast.failed,
  })
}

/** Removes a metadata key. */
export function useMetadataRemoval(item: RequestItem) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (key: string) => call(api.DELETE('/api/public/v2/requests/{request_id}/metadata', { params: { path: { request_id: item.id }, query: { key } } })),
    onSuccess: (_, key) => {
      const left = Object.entries(metadataOf(item)).filter(([other]) => other !== key)
      replaceItem(queryClient, workspace, { ...item, metadata: left.map(([other, value]) => ({ [other]: value })) })
      toast.done(`${key} removed`)
    },
    onError: toast.failed,
  })
}

/** Removes a score. */
export function useScoreRemoval(item: RequestItem) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (name: string) => call(api.DELETE('/api/public/v2/requests/{request_id}/scores', { params: { path: { request_id: item.id }, query: { name } } })),
    onSuccess: (_, name) => {
      replaceItem(queryClient, workspace, { ...item, scores: item.scores.filter((other) => other.name !== name), score: name === 'default' ? 0 : item.score })
      toast.done(`Score ${name} removed`)
    },
    onError: toast.failed,
  })
}

/** Adds a score, or replaces the one with the same name. */
export function useScoreChange(item: RequestItem) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: ({ name, score }: { name: string; score: number }) => call(api.POST('/rest/track-score', { body: { request_id: item.id, name, score } })),
    onSuccess: (_, { name, score }) => {
      const others = item.scores.filter((other) => other.name !== name)
      replaceItem(queryClient, workspace, { ...item, scores: [...others, { name, score }], score: name === 'default' ? score : item.score })
      toast.done(`Score ${name === 'default' ? '' : `${name} `}${score} saved`)
    },
    onError: toast.failed,
  })
}

/** Parses a typed value: as JSON for numbers, booleans, arrays and objects, else as text. */
export function typedValue(text: string): unknown {
  if (!/^(-?\d|true$|false$|null$|[[{"])/.test(text.trim())) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The value as it can be typed again. */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return typedValue(value) === value ? value : JSON.stringify(value)
}

/** Parses a typed score: an integer from 0 to 100, or null. */
export function readScore(text: string): number | null {
  return /^\s*(100|\d{1,2})\s*$/.test(text) ? Number(text) : null
}
