import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Plus, Split, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { useMay, useSession } from '@/api/session'
import { abTestsQuery, labelsQuery, promptsKey, type ABTest, type Prompt, type Version } from '@/template/data'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { seriesColour, useChartTheme } from '@/ui/chart-colours'
import { useConfirm } from '@/ui/dialog'
import { labelTone } from '@/ui/label-tone'
import { Card, EmptyState, ErrorState, Loading } from '@/ui/page'
import { Ago } from '@/ui/time'
import { useToast } from '@/ui/toast'
import { ABTestDialog } from './ab-test-dialog'
import { guardWords } from './guard'
import { Results } from './results'
import type { Weight } from './weights'

/** The tests that split the requests for a label between versions. */
export function ABTestsTab({ prompt, versions }: { prompt: Prompt; versions: Version[] }) {
  const { workspace_id: workspace } = useSession()
  const mayDeploy = useMay('PROMPT_DEPLOY')
  const { data, error, refetch } = useQuery(abTestsQuery(workspace, prompt.id))
  const labels = useQuery(labelsQuery(workspace, String(prompt.id))).data ?? []
  const [edited, setEdited] = useState<ABTest | 'new' | null>(null)
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const why = !mayDeploy ? 'Your role does not allow you to change releases' : labels.length === 0 ? 'A test needs a release label. Add one to a version first.' : undefined
  const button = <span title={why}><Button look={data.length === 0 ? 'primary' : 'plain'} disabled={why !== undefined} onClick={() => setEdited('new')}><Plus /> New A/B test</Button></span>
  return (
    <div className="flex flex-col gap-3 p-4 md:px-5">
      {data.length === 0 ? (
        <EmptyState title="No A/B tests yet" icon={<Split />} action={button}>
          <p>An A/B test splits requests for a release label between several versions. Requests with the same metadata_filters always get the same version, so each user sees a consistent one.</p>
          {why && <p className="mt-2 text-warn">{why}.</p>}
        </EmptyState>
      ) : (
        <>
          <div className="flex justify-end">{button}</div>
          {data.map((test) => <TestCard key={test.id} test={test} prompt={prompt} onEdit={mayDeploy ? () => setEdited(test) : undefined} />)}
        </>
      )}
      {edited !== null && <ABTestDialog prompt={prompt} test={edited === 'new' ? null : edited} labels={labels} taken={data.map(({ release_label }) => release_label)} versions={versions} onClose={() => setEdited(null)} />}
    </div>
  )
}

function TestCard({ test, prompt, onEdit }: { test: ABTest; prompt: Prompt; onEdit?: () => void }) {
  const { workspace_id: workspace } = useSession()
  const queryClient = useQueryClient()
  const toast = useToast()
  const confirm = useConfirm()
  const labels = useQuery(labelsQuery(workspace, String(prompt.id))).data ?? []
  const guard = guardWords(test.guard)
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/public/v2/ab-tests/{ab_test_id}', { params: { path: { ab_test_id: test.id } } })),
    onSuccess: () => {
      toast.done(`A/B test ${test.name} ended`)
      return queryClient.invalidateQueries({ queryKey: promptsKey(workspace) })
    },
    onError: toast.failed,
  })
  const askToRemove = async () => {
    const version = labels.find((label) => label.release_label_id === test.release_label_id)?.prompt_version_number
    const body = `All requests for ${test.release_label} will get ${version === undefined ? 'the version of the label' : `version ${version}`}. The split and segments of the test will be deleted.`
    if (await confirm({ title: `End A/B test ${test.name}?`, body, action: 'End test', danger: true })) remove.mutate()
  }
  return (
    <Card
      title={<span className="inline-flex flex-wrap items-center gap-2">{test.name} <span className="font-normal text-faint">on</span> <Badge tone={labelTone(test.release_label)}>{test.release_label}</Badge></span>}
      actions={
        onEdit && (
          <span className="flex gap-2">
            <Button small onClick={onEdit}><Pencil /> Edit</Button>
            <Button small look="danger" busy={remove.isPending} onClick={() => void askToRemove()}><Trash2 /> End</Button>
          </span>
        )
      }
    >
      {test.stopped && (
        <p role="status" className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-[13px]">
          The release guard stopped this test <Ago at={test.stopped.stopped_at} />: {test.stopped.reason} Edit the test to start it again.
        </p>
      )}
      <Shares weights={test.weights} label={`Traffic split of ${test.name}`} />
      {(test.segments ?? []).map((segment, index) => (
        <div key={index} className="mt-4">
          <h3 className="mb-1 text-[13px] font-medium">{segment.name || `Segment ${index + 1}`}</h3>
          <p className="mb-1.5 text-[13px] text-dim">{Object.entries(segment.match).map(([key, values]) => `${key} is ${(values ?? []).join(' or ')}`).join(', and ')}</p>
          <Shares weights={segment.weights} label={`Traffic split of ${segment.name || `segment ${index + 1}`}`} />
        </div>
      ))}
      {guard.length > 0 && <p className="mt-3 text-[13px] text-dim">Release guard: the test stops when a version is clearly worse and {guard.join(', or ')}.</p>}
      <div className="mt-4"><Results test={test} /></div>
      <p className="mt-3 text-[13px] text-faint">Updated <Ago at={test.updated_at} /></p>
    </Card>
  )
}

/** The split as one bar with a legend below. */
function Shares({ weights, label }: { weights: Weight[]; label: string }) {
  const theme = useChartTheme()
  const colour = (index: number) => seriesColour(index, theme)
  return (
    <div>
      <div aria-hidden className="flex h-2.5 overflow-hidden rounded-full bg-sunken">
        {weights.map((one, index) => <span key={one.version_number} style={{ width: `${one.weight}%`, background: colour(index) }} />)}
      </div>
      <ul aria-label={label} className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
        {weights.map((one, index) => (
          <li key={one.version_number} className="inline-flex items-center gap-1.5"><span aria-hidden className="size-2 rounded-sm" style={{ background: colour(index) }} /> Version {one.version_number} <span className="tabular text-dim">{one.weight}%</span></li>
        ))}
      </ul>
    </div>
  )
}
