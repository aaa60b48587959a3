import { useQuery } from '@tanstack/react-query'
import { useSession } from '@/api/session'
import { count, dateTime, duration, money, percent } from '@/lib/format'
import { abTestResultsQuery, type ABTest, type ABTestArm, type Estimate } from '@/template/data'
import { Badge, type Tone } from '@/ui/badge'
import { ErrorState, Loading } from '@/ui/page'
import { SimpleTable, type Column } from '@/ui/table'
import { findingsOf, scoreNames } from './findings'

/** How the versions of a test compare since its split was last changed. */
export function Results({ test }: { test: ABTest }) {
  const { workspace_id: workspace } = useSession()
  const { data, error, refetch } = useQuery(abTestResultsQuery(workspace, test))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const since = dateTime(data.from)
  if (data.versions.every(({ requests }) => requests === 0)) {
    return <p className="text-[13px] text-dim">No requests since {since}. To compare the versions, log requests with the name and version of the prompt.</p>
  }
  return (
    <div className="flex flex-col gap-3">
      <SimpleTable scrolls label={`Results of ${test.name}`} rows={data.versions} rowKey={({ version_number }) => version_number} columns={columnsOf(data.versions, data.baseline_version_number)} />
      <ul aria-label={`Findings of ${test.name}`} className="flex flex-col gap-1.5 text-[13px]">
        {findingsOf(data.versions).map(({ outcome, text }) => (
          <li key={text} className="flex flex-wrap items-baseline gap-2"><Badge tone={tones[outcome]}>{names[outcome]}</Badge> {text}</li>
        ))}
      </ul>
      <p className="text-[13px] text-faint">Requests since {since}. Cost and latency are medians, scores are means. In parentheses: the range in which the true number lies with 95% confidence.</p>
    </div>
  )
}

type Outcome = ABTestArm['findings'][number]['outcome']

const tones: Record<Outcome, Tone> = { better: 'good', worse: 'bad', 'no clear difference': 'neutral', 'not enough requests': 'neutral' }
const names: Record<Outcome, string> = { better: 'Better', worse: 'Worse', 'no clear difference': 'No clear difference', 'not enough requests': 'Too early' }

function columnsOf(versions: ABTestArm[], baseline: number): Column<ABTestArm>[] {
  const className = 'text-right tabular whitespace-nowrap'
  const estimated = (header: string, format: (value: number) => string, estimate: (arm: ABTestArm) => Estimate | null): Column<ABTestArm> => ({
    header, className, cell: (arm) => <Estimated estimate={estimate(arm)} format={format} />,
  })
  return [
    { header: 'Version', cell: ({ version_number: version }) => <span className="font-medium">Version {version} {version === baseline && <span className="font-normal text-faint">baseline</span>}</span> },
    { header: 'Requests', className, cell: ({ requests }) => count(requests) },
    estimated('Errors', percent, ({ error_rate }) => error_rate),
    estimated('Cost', money, ({ cost }) => cost),
    estimated('Latency', duration, ({ latency_ms }) => latency_ms),
    { header: 'p95 latency', className, cell: ({ latency_p95_ms: slow }) => (slow === null ? '–' : duration(slow)) },
    ...scoreNames(versions).map((name) => estimated(name === 'default' ? 'Score' : name, (value) => value.toFixed(0), ({ scores }) => scores.find((score) => score.name === name) ?? null)),
  ]
}

function Estimated({ estimate, format }: { estimate: Estimate | null; format: (value: number) => string }) {
  if (estimate === null) return <>–</>
  return <>{format(estimate.value)} <span className="text-faint">({format(estimate.low)} to {format(estimate.high)})</span></>
}
