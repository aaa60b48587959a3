import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { entityItems, entityTypes, type PaletteItem, savedItems } from './palette-items'

/** Searches on the server shortly after the last keystroke. */
export function useFound(text: string, open: boolean): { items: PaletteItem[]; busy: boolean; failed: boolean } {
  const { workspace_id } = useSession()
  const settled = useSettled(text.trim(), 120)
  const wanted = open && settled !== ''
  // The text is part of the key, so a response to an earlier text is never shown for this one.
  const entities = useQuery({
    queryKey: ['w', workspace_id, 'palette', settled],
    queryFn: ({ signal }) => find(settled, signal),
    enabled: wanted,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const saved = useSaved(workspace_id, open)
  const stale = entities.isPlaceholderData || settled !== text.trim()
  return {
    items: [
      ...(text.trim() === '' ? [] : [...entityItems(workspace_id, entities.data?.whole ?? [], stale), ...entityItems(workspace_id, entities.data?.byWord ?? [], true)]),
      ...saved,
    ],
    busy: text.trim() !== '' && (settled !== text.trim() || entities.isFetching),
    failed: wanted && entities.isError,
  }
}

/**
 * The server finds a text only as typed. For several words, also searches for the
 * longest one, so that "ticket rou" finds ticket-routing by name.
 */
async function find(text: string, signal: AbortSignal) {
  const ask = async (part: string) => (await call(api.GET('/api/public/v2/folders/entities', { params: { query: { flatten: true, search_query: part, filter_type: [...entityTypes] } }, signal }))).entities
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length)
  const [whole, byWord] = await Promise.all([ask(text), words.length > 1 && words[0] ? ask(words[0]) : []])
  const known = new Set(whole.map(({ type, id }) => `${type}:${id}`))
  return { whole, byWord: byWord.filter(({ type, id }) => !known.has(`${type}:${id}`)) }
}

/** Views and dashboards, few enough to load all of them. */
function useSaved(workspace: number, open: boolean): PaletteItem[] {
  const { data } = useQuery({
    queryKey: ['w', workspace, 'palette-saved'],
    queryFn: async () => {
      const [views, dashboards] = await Promise.all([call(api.GET('/api/public/v2/views')), call(api.GET('/api/public/v2/dashboards'))])
      return savedItems(workspace, views.views, dashboards.dashboards)
    },
    enabled: open,
    staleTime: 30_000,
  })
  return data ?? []
}

function useSettled(text: string, wait: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), wait)
    return () => clearTimeout(timer)
  }, [text, wait])
  return settled
}
