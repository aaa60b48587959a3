import { ArrowDown, ArrowUp, Ellipsis, Plus, Trash2 } from 'lucide-react'
import { moved, replaced, useKeys, without } from '@/lib/lists'
import { Button, IconButton } from '@/ui/button'
import { Menu, MenuItem } from '@/ui/menu'
import { useSnippets } from '../snippets'
import { text, textItem, type ContentItem, type TemplateFormat } from '../types'
import { parseFString } from '../variables'
import { ContentItemEditor } from './content-item'
import { PromptText } from './prompt-text'

const newItems: { label: string; item: ContentItem }[] = [
  { label: 'Text', item: textItem() },
  { label: 'Image from URL', item: { type: 'image_url', image_url: { url: '' } } },
  { label: 'Media from URL or file', item: { type: 'media', media: { title: 'media', type: 'image/jpeg', url: '', format: 'url' } } },
  { label: 'Media from a variable', item: { type: 'media_variable', name: 'media' } },
  { label: 'Thinking', item: { type: 'thinking', thinking: '' } },
  { label: 'Code', item: { type: 'code', code: '' } },
]

export interface ContentEditorProps {
  value: ContentItem[]
  onChange: (value: ContentItem[]) => void
  format: TemplateFormat
  /** What the content belongs to, such as "User message 2". */
  label: string
  /** The names suggested after an opening brace. */
  variables?: string[]
  readOnly?: boolean
  placeholder?: string
}

/** The content of a message or of a completion: its items in order. */
export function ContentEditor({ value, onChange, format, label, variables, readOnly, placeholder }: ContentEditorProps) {
  const snippets = useSnippets()
  const keys = useKeys(value.length)
  const set = (index: number, item: ContentItem) => onChange(replaced(value, index, item))
  const only = value.length === 1
  return (
    <div className="flex flex-col gap-2">
      {value.map((item, index) => (
        <div key={keys.at(index)} className="group/item relative flex items-start gap-1">
          <div className="min-w-0 flex-1">
            {item.type === 'text' ? (
              <>
                <PromptText
                  value={text(item.text)}
                  onChange={(changed) => set(index, { ...item, text: changed })}
                  format={format}
                  label={only ? label : `${label}, item ${index + 1}`}
                  variables={variables}
                  snippets={snippets.names}
                  pins={snippets.pins}
                  readOnly={readOnly}
                  placeholder={placeholder}
                />
                <BraceProblem source={text(item.text)} format={format} />
              </>
            ) : (
              <ContentItemEditor value={item} onChange={(changed) => set(index, changed)} label={`${label}, item ${index + 1}`} readOnly={readOnly} />
            )}
          </div>
          {!readOnly && !(only && item.type === 'text') && (
            <Menu trigger={<IconButton small label={`Actions for item ${index + 1} of ${label}`}><Ellipsis /></IconButton>}>
              {index > 0 && <MenuItem onSelect={() => { keys.move(index, index - 1); onChange(moved(value, index, index - 1)) }}><ArrowUp /> Move up</MenuItem>}
              {index < value.length - 1 && <MenuItem onSelect={() => { keys.move(index, index + 1); onChange(moved(value, index, index + 1)) }}><ArrowDown /> Move down</MenuItem>}
              <MenuItem danger onSelect={() => { keys.remove(index); onChange(without(value, index)) }}><Trash2 /> Remove</MenuItem>
            </Menu>
          )}
        </div>
      ))}
      {!readOnly && (
        <div>
          <Menu align="start" trigger={<Button small look="quiet"><Plus /> Add content</Button>}>
            {newItems.map((one) => (
              <MenuItem key={one.label} onSelect={() => onChange([...value, structuredClone(one.item)])}>{one.label}</MenuItem>
            ))}
          </Menu>
        </div>
      )}
    </div>
  )
}

function BraceProblem({ source, format }: { source: string; format: TemplateFormat }) {
  const problem = format === 'f-string' ? parseFString(source).problem : null
  return problem === null ? null : <p className="mt-1 text-[13px] text-warn">{problem} Variables in this text are not replaced until you fix this.</p>
}
