import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import type { Report } from '@/evaluation/data'
import { useUnsaved } from '@/lib/unsaved'
import { Button } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { useConfirm } from '@/ui/dialog'
import { Select, Switch } from '@/ui/field'
import { Card } from '@/ui/page'
import { useToast } from '@/ui/toast'
import { useSetScoreCard } from './actions'

type Language = 'JAVASCRIPT' | 'PYTHON'

const example = `// data has one object per row, with the values of all columns.
const right = data.filter((row) => row['check'] === true).length
return { score: 100 * right / data.length }`

/** How the score is computed: the mean of the selected columns, or code. */
export function ScoreCode({ evaluation, locked }: { evaluation: Report; locked: boolean }) {
  const { report, report_columns: columns } = evaluation
  const stored = report.score_configuration
  const toast = useToast()
  const confirm = useConfirm()
  const save = useSetScoreCard(report.id)
  const [code, setCode] = useState(stored?.code ?? null)
  const [language, setLanguage] = useState<Language>(stored?.code_language ?? 'JAVASCRIPT')
  const dirty = !locked && (code !== (stored?.code ?? null) || (code !== null && language !== (stored?.code_language ?? language)))
  useUnsaved(dirty)
  useBlocker({
    shouldBlockFn: async () => dirty && !(await confirm({ title: 'Leave without saving?', body: 'Your changes to the score will be lost.', action: 'Leave', danger: true })),
    enableBeforeUnload: dirty,
  })
  const counted = columns.filter(({ is_part_of_score }) => is_part_of_score).map(({ name }) => name)
  const submit = () =>
    save.mutate(
      { column_names: counted, code, code_language: language },
      { onSuccess: () => toast.done('Score saved. It applies to future runs.') },
    )
  const toggle = async (on: boolean) => {
    if (!on && code !== null && code !== example && !(await confirm({ title: 'Remove score code?', body: 'The code is deleted when you save.', action: 'Remove code' }))) return
    setCode(on ? (stored?.code ?? example) : null)
  }
  return (
    <Card title="Score">
      <div className="flex flex-col gap-3">
        <p className="text-dim">{code === null ? meanWords(counted) : 'The code gets the rows as data and returns an object with a score. Optionally, score_matrix contains tables and sub_scores contains named numbers.'}</p>
        <Switch label="Compute the score with code" disabled={locked} checked={code !== null} onChange={(on) => void toggle(on)} />
        {code !== null && (
          <>
            <Select aria-label="Language" className="self-start" disabled={locked} value={language} onChange={(event) => setLanguage(event.target.value as Language)}>
              <option value="JAVASCRIPT">JavaScript</option>
              <option value="PYTHON">Python</option>
            </Select>
            <CodeEditor key={language} label="Score code" lines language={language === 'PYTHON' ? 'python' : 'javascript'} readOnly={locked} value={code} onChange={setCode} />
          </>
        )}
        {dirty && (
          <div className="flex items-center gap-2">
            <Button look="primary" busy={save.isPending} disabled={code?.trim() === ''} onClick={submit}>Save score</Button>
            <Button onClick={() => (setCode(stored?.code ?? null), setLanguage(stored?.code_language ?? 'JAVASCRIPT'))}>Discard changes</Button>
            <span className="text-[13px] text-faint">Existing runs keep their score.</span>
          </div>
        )}
      </div>
    </Card>
  )
}

function meanWords(counted: string[]): string {
  if (counted.length === 0) return 'No column is part of the score, so the last column counts if its values are numbers, true or false.'
  if (counted.length === 1) return `The score is that of ${counted[0]}: the percentage of true values, or the mean of the numbers.`
  return `The score is the mean of ${counted.length} columns: ${counted.join(', ')}. The score of a column is its percentage of true values, or the mean of its numbers.`
}
