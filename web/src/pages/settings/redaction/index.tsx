import { ArrowDown, ArrowUp, Ellipsis, EyeOff, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { count } from '@/lib/format'
import { Button, IconButton } from '@/ui/button'
import { useConfirm } from '@/ui/dialog'
import { Checkbox } from '@/ui/field'
import { Menu, MenuItem } from '@/ui/menu'
import { EmptyState, ErrorState, Loading } from '@/ui/page'
import { SimpleTable, type Column } from '@/ui/table'
import { useToast } from '@/ui/toast'
import { Section, useNewWindow } from '../section'
import { useRedaction, useSetRedaction } from './redaction-data'
import { RuleDialog } from './rule-dialog'
import { actions, finds, matcherOf, moved, needsText, type Rule, sent, type StoredRule } from './rules'

const whyNot = 'You do not have permission to change redaction rules'

export function RedactionSection() {
  const manages = useMay('MANAGE_DATA')
  const [creating, setCreating] = useNewWindow()
  const stored = useRedaction()
  const add = <Button look="primary" disabled={!manages} title={manages ? undefined : whyNot} onClick={() => setCreating(true)}><Plus /> New rule</Button>
  return (
    <Section id="redaction" actions={add}>
      {stored.isPending && <Loading />}
      {stored.isError && <ErrorState error={stored.error} retry={() => void stored.refetch()} />}
      {stored.data && <Rules rules={stored.data.rules} manages={manages} creating={creating && manages} setCreating={setCreating} />}
      {!manages && <p className="text-[13px] text-faint">{whyNot}.</p>}
    </Section>
  )
}

function Rules({ rules, manages, creating, setCreating }: { rules: StoredRule[]; manages: boolean; creating: boolean; setCreating: (open: boolean) => void }) {
  const [edited, setEdited] = useState<number | null>(null)
  const set = useSetRedaction()
  const toast = useToast()
  const list = sent(rules)
  const store = (next: Rule[], done: string) => set.mutate(next, { onSuccess: () => toast.done(done), onError: toast.failed })
  const close = () => {
    setCreating(false)
    setEdited(null)
    set.reset()
  }
  const save = (rule: Rule) => {
    const next = edited === null ? [...list, rule] : list.map((one, index) => (index === edited ? rule : one))
    set.mutate(next, {
      onSuccess: () => {
        toast.done(`Rule ${rule.name} saved`)
        close()
      },
    })
  }
  const open = creating || edited !== null
  return (
    <>
      <div className="rounded-lg border border-line bg-surface">
        {rules.length > 0
          ? <RuleTable rules={rules} manages={manages} onEdit={setEdited} onStore={store} />
          : (
            <EmptyState icon={<EyeOff />} title="No rules" action={manages && <Button onClick={() => setCreating(true)}><Plus /> New rule</Button>}>
              Everything that clients send is stored. Add a rule for what must not be, such as e-mail addresses or card numbers.
            </EmptyState>
          )}
      </div>
      {open && (
        <RuleDialog
          rule={edited === null ? null : list[edited] ?? null}
          others={list.filter((_, index) => index !== edited).map(({ name }) => name)}
          saving={set}
          onSave={save}
          onClose={close}
        />
      )}
    </>
  )
}

function RuleTable({ rules, manages, onEdit, onStore }: { rules: StoredRule[]; manages: boolean; onEdit: (index: number) => void; onStore: (next: Rule[], done: string) => void }) {
  const confirm = useConfirm()
  const list = sent(rules)
  const remove = async (index: number) => {
    const name = list[index]?.name ?? ''
    const ok = await confirm({ title: `Delete the rule ${name}?`, body: 'Matching text will no longer be redacted.', action: 'Delete', danger: true })
    if (ok) onStore(list.filter((_, at) => at !== index), `Rule ${name} deleted`)
  }
  const toggle = (index: number, enabled: boolean) =>
    onStore(list.map((rule, at) => (at === index ? { ...rule, enabled } : rule)), `Rule ${list[index]?.name ?? ''} turned ${enabled ? 'on' : 'off'}`)
  type Row = StoredRule & { index: number }
  const columns: Column<Row>[] = [
    {
      header: 'On',
      className: 'w-12',
      cell: ({ name, enabled, index }) => <Checkbox aria-label={`Apply ${name}`} checked={enabled ?? true} disabled={!manages} onChange={(event) => toggle(index, event.target.checked)} />,
    },
    { header: 'Name', cell: ({ name }) => name },
    { header: 'Finds', cell: (rule) => (needsText(matcherOf(rule)) ? <code className="font-mono text-xs break-all">{finds(rule)}</code> : finds(rule)) },
    { header: 'Action', cell: ({ action }) => actions.find(({ value }) => value === action)?.label, className: 'hidden sm:table-cell' },
    { header: 'Replaced', cell: ({ replaced }) => count(replaced), className: 'hidden md:table-cell text-right tabular' },
  ]
  const menu: Column<Row> = {
    header: <span className="sr-only">Actions</span>,
    className: 'w-12 text-right',
    cell: ({ name, index }) => (
      <Menu trigger={<IconButton small label={`Actions for ${name}`}><Ellipsis /></IconButton>}>
        <MenuItem onSelect={() => onEdit(index)}><Pencil /> Edit</MenuItem>
        <MenuItem disabled={index === 0} onSelect={() => onStore(moved(list, index, -1), `Rule ${name} moved`)}><ArrowUp /> Move up</MenuItem>
        <MenuItem disabled={index === list.length - 1} onSelect={() => onStore(moved(list, index, 1), `Rule ${name} moved`)}><ArrowDown /> Move down</MenuItem>
        <MenuItem danger onSelect={() => void remove(index)}><Trash2 /> Delete</MenuItem>
      </Menu>
    ),
  }
  return (
    <>
      <SimpleTable label="Redaction rules" rows={rules.map((rule, index) => ({ ...rule, index }))} rowKey={({ name }) => name} columns={manages ? [...columns, menu] : columns} />
      <p className="border-t border-line px-4 py-2 text-[13px] text-faint">Where several rules find overlapping texts, the first takes all of it. Replaced: since this server started.</p>
    </>
  )
}
