import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useSession } from '@/api/session'
import { replaced, without } from '@/lib/lists'
import { promptsKey, type ABTest, type Label, type Prompt, type Version } from '@/template/data'
import { Button, IconButton } from '@/ui/button'
import { Field, Input, Select } from '@/ui/field'
import { FormDialog } from '@/ui/form-dialog'
import { useToast } from '@/ui/toast'
import { guardForm, guardProblem, readGuard } from './guard'
import { GuardFields } from './guard-fields'
import { SegmentFields } from './segment-fields'
import { WeightFields } from './weight-fields'
import { readSplit, splitForm, splitProblem, type SplitForm } from './weights'

interface DialogProps {
  prompt: Prompt
  /** The test to edit, or null for a new one. */
  test: ABTest | null
  labels: Label[]
  /** Labels that already have a test. */
  taken: string[]
  versions: Version[]
  onClose: () => void
}

/** Creates an A/B test, or edits its shares, segments and guard. */
export function ABTestDialog({ prompt, test, labels, taken, versions, onClose }: DialogProps) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const free = labels.filter((label) => !taken.includes(label.release_label))
  const [name, setName] = useState(test?.name ?? '')
  const [label, setLabel] = useState(test?.release_label ?? free[0]?.release_label ?? '')
  const [split, setSplit] = useState<SplitForm>(() => (test === null ? firstSplit(free[0], versions) : splitForm(test)))
  const [guard, setGuard] = useState(() => guardForm(test?.guard))
  const problem = splitProblem(split) ?? guardProblem(guard)
  const pointed = labels.find((one) => one.release_label === label)
  const save = useMutation({
    mutationFn: () =>
      test === null
        ? call(api.POST('/api/public/v2/ab-tests', { body: { name: name.trim(), prompt_id: prompt.id, release_label: label, ...readSplit(split), guard: readGuard(guard) } }))
        : call(api.PATCH('/api/public/v2/ab-tests/{ab_test_id}', { params: { path: { ab_test_id: test.id } }, body: { ...readSplit(split), guard: readGuard(guard) } })),
    onSuccess: async () => {
      toast.done(test === null ? `A/B test ${name.trim()} started` : `A/B test ${test.name} updated`)
      await queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
      onClose()
    },
  })
  return (
    <FormDialog
      title={test === null ? 'New A/B test' : `Edit ${test.name}`}
      description={pointed && `Splits requests for label ${label} (currently version ${pointed.prompt_version_number}) between versions. Takes effect immediately.`}
      action={test === null ? 'Start test' : 'Save'}
      busy={save.isPending}
      ready={problem === null && label !== '' && name.trim() !== ''}
      error={save.error}
      aside={problem !== null && <p role="status" className="mr-auto text-[13px] text-warn">{problem}</p>}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {test === null && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Name">{(control) => <Input {...control} autoFocus maxLength={255} placeholder="Shorter answers" value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <Field label="Label" hint={free.length === 0 ? 'All labels already have a test.' : undefined}>
            {(control) => <Select {...control} value={label} onChange={(event) => setLabel(event.target.value)}>{free.map((one) => <option key={one.release_label_id}>{one.release_label}</option>)}</Select>}
          </Field>
        </div>
      )}
      <WeightFields legend="Traffic split" value={split.weights} versions={versions} onChange={(weights) => setSplit({ ...split, weights })} />
      <section className="flex flex-col gap-3">
        <h3 className="text-[13px] font-medium text-dim">Segments get a different split. The first matching segment applies.</h3>
        {split.segments.map((segment, index) => (
          <div key={index} className="rounded-md border border-line p-3">
            <div className="mb-2 flex items-center justify-between">
              <h4 className="text-[13px] font-medium">Segment {index + 1}</h4>
              <IconButton small label={`Remove segment ${index + 1}`} onClick={() => setSplit({ ...split, segments: without(split.segments, index) })}><Trash2 /></IconButton>
            </div>
            <SegmentFields value={segment} versions={versions} onChange={(changed) => setSplit({ ...split, segments: replaced(split.segments, index, changed) })} />
          </div>
        ))}
        <div><Button small look="quiet" onClick={() => setSplit({ ...split, segments: [...split.segments, { name: '', match: [{ key: '', values: '' }], weights: split.weights }] })}><Plus /> Add segment</Button></div>
      </section>
      <GuardFields value={guard} onChange={setGuard} />
    </FormDialog>
  )
}

/** The initial split of a new test: most requests keep the version of the label, some get the latest. */
function firstSplit(label: Label | undefined, versions: Version[]): SplitForm {
  const current = label?.prompt_version_number ?? versions[0]?.number ?? 1
  const other = versions.find(({ number }) => number !== current)?.number
  const weights = other === undefined ? [{ version_number: current, weight: 100 }] : [{ version_number: current, weight: 90 }, { version_number: other, weight: 10 }]
  return { weights, segments: [] }
}
