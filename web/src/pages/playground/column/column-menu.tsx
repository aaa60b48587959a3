import { Columns2, Copy, Ellipsis, GitCompare, Link2, Save, Split, Trash2 } from 'lucide-react'
import { useMay } from '@/api/session'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { addColumn, fingerprint, isEdited, mostColumns, removeColumn, separate, setTalk, share } from '../model/session'
import { useAnswer } from '../run/answers'
import type { ColumnProps } from './column'

export function ColumnMenu({ column, position, playground, onOpen }: ColumnProps) {
  const { session, change, answers } = playground
  const confirm = useConfirm()
  const mayEdit = useMay('PROMPT_EDIT')
  const hasAnswer = useAnswer(answers, column.id) !== null
  const full = session.columns.length >= mostColumns
  const several = session.columns.length > 1
  const clear = () => {
    answers.clear(column.id)
    change((old) => setTalk(old, column.id, []))
  }
  const remove = () => {
    answers.clear(column.id)
    change((old) => removeColumn(old, column.id))
  }
  const useShared = async () => {
    const { own } = column
    const others = session.columns.some((other) => other.own === null)
    // Messages that are those of a version, or that become the shared ones, are not lost.
    const lost = own !== null && others && fingerprint(own.template) !== fingerprint(session.shared.template) && (own.source === null || isEdited(own))
    if (lost && !(await confirm({ title: 'Use the shared messages?', body: `What was written for column ${position} alone is lost.`, action: 'Use the shared ones', danger: true }))) return
    change((old) => share(old, column.id))
  }
  return (
    <Menu trigger={<IconButton small label={`More for column ${position}`}><Ellipsis /></IconButton>}>
      <MenuItem disabled={!mayEdit} onSelect={() => onOpen({ window: 'save', column: column.id })}><Save /> Save as a version or a new prompt…</MenuItem>
      <MenuSeparator />
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'model', column: column.id })}><Columns2 /> Compare with a model…</MenuItem>
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'version', column: column.id })}><GitCompare /> Compare with a version…</MenuItem>
      <MenuItem disabled={full} onSelect={() => change((old) => addColumn(old, column.id))}><Copy /> Duplicate</MenuItem>
      {several && (
        <>
          <MenuSeparator />
          {column.own === null ? (
            <MenuItem onSelect={() => change((old) => separate(old, column.id))}><Split /> Give it messages of its own</MenuItem>
          ) : (
            <MenuItem onSelect={() => void useShared()}><Link2 /> Use the shared messages</MenuItem>
          )}
        </>
      )}
      <MenuSeparator />
      <MenuItem disabled={!hasAnswer && column.talk.length === 0} onSelect={clear}>Clear the conversation</MenuItem>
      {several && <MenuItem danger onSelect={remove}><Trash2 /> Remove column {position}</MenuItem>}
    </Menu>
  )
}
