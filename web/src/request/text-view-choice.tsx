import { Segments } from '@/ui/segments'
import { useTextView } from './text-view'

/** Selects whether messages are shown as Markdown or as they were logged. */
export function TextViewChoice() {
  const [view, choose] = useTextView()
  return <Segments label="Show messages as" value={view} onChange={choose} options={[{ value: 'markdown', label: 'Markdown' }, { value: 'raw', label: 'Raw' }]} />
}
