import { Columns2, Copy, Ellipsis, GitCompare, Link2, ListPlus, Save, Split, Trash2 } from 'lucide-react'
import { useMay } from '@/api/session'
import { IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Menu, MenuItem, MenuSeparator } from '@/ui/menu'
import { addColumn, fingerprint, isEdited, mostColumns, removeColumn, scriptOf, separate, setScript, setTalk, share } from '../model/session'
import { withTalk } from '../model/start'
import { asMessages } from '../run/answer'
import { useAnswer } from '../run/answers'
import type { ColumnProps } from './column-props'

export function ColumnMenu({ column, position, playground, onOpen }: ColumnProps) {
  const { session, change, answers } = playground
  const confirm = useConfirm()
  const mayEdit = useMay('PROMPT_EDIT')
  const answer = useAnswer(answers, column.id)
  const script = scriptOf(session, column)
  const talk = [...column.talk, ...(answer === null || answer.state === 'running' ? [] : asMessages(answer))]
  const full = session.columns.length >= mostColumns
  const several = session.columns.length > 1
  const clear = () => {
    answers.clear(column.id)
    change((old) => setTalk(old, column.id, []))
  }
  const takeOver = () => {
    change((old) => setScript(old, column.id, { ...script, template: withTalk(script.template, talk) }))
    clear()
  }
  const remove = () => {
    answers.clear(column.id)
    change((old) => removeColumn(old, column.id))
  }
  const shareAgain = async () => {
    const { own } = column
    const others = session.columns.some((other) => other.own === null)
    // Messages that equal a version, or that become the shared ones, are not lost.
    const lost = own !== null && others && fingerprint(own.template) !== fingerprint(session.shared.template) && (own.source === null || isEdited(own))
    if (lost && !(await confirm({ title: 'Use shared messages?', body: `The separate messages of column ${position} will be lost.`, action: 'Use shared messages', danger: true }))) return
    change((old) => share(old, column.id))
  }
  return (
    <Menu trigger={<IconButton small label={`Actions for column ${position}`}><Ellipsis /></IconButton>}>
      <MenuItem disabled={!mayEdit} onSelect={() => onOpen({ window: 'save', column: column.id })}><Save /> Save…</MenuItem>
      <MenuSeparator />
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'model', column: column.id })}><Columns2 /> Compare with a model…</MenuItem>
      <MenuItem disabled={full} onSelect={() => onOpen({ window: 'version', column: column.id })}><GitCompare /> Compare with a version…</MenuItem>
      <MenuItem disabled={full} onSelect={() => change((old) => addColumn(old, column.id))}><Copy /> Duplicate</MenuItem>
      {several && (
        <>
          <MenuSeparator />
          {column.own === null ? (
            <MenuItem onSelect={() => change((old) => separate(old, column.id))}><Split /> Edit messages separately</MenuItem>
          ) : (
            <MenuItem onSelect={() => void shareAgain()}><Link2 /> Use shared messages</MenuItem>
          )}
        </>
      )}
      <MenuSeparator />
      {script.template.type === 'chat' && <MenuItem disabled={talk.length === 0} onSelect={takeOver}><ListPlus /> Add conversation to messages</MenuItem>}
      <MenuItem disabled={answer === null && column.talk.length === 0} onSelect={clear}>Clear conversation</MenuItem>
      {several && <MenuItem danger onSelect={remove}><Trash2 /> Remove column {position}</MenuItem>}
    </Menu>
  )
}
