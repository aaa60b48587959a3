import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lastAnswer, lastQuestion, readBlueprint } from '@/request/blueprint'
import { detailQuery, type RequestItem } from '@/request/data'

/** The start of the input or output, loaded when the row has been visible for a moment. */
export function Preview({ item, part }: { item: RequestItem; part: 'input' | 'output' }) {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    // Do not load rows that only scroll past.
    const timer = setTimeout(() => setSettled(true), 150)
    return () => clearTimeout(timer)
  }, [])
  const detail = useQuery({ ...detailQuery(item.workspace_id ?? 0, item.id), enabled: settled, refetchOnWindowFocus: false })
  if (detail.data === undefined) return <span aria-hidden className="inline-block h-3 w-4/5 rounded bg-sunken" />
  const messages = readBlueprint(detail.data.prompt_blueprint).messages
  const text = part === 'input' ? lastQuestion(messages) : lastAnswer(messages)
  return text === '' ? <span className="text-faint">–</span> : <span className="text-dim" title={text.slice(0, 600)}>{text.slice(0, 200)}</span>
}
