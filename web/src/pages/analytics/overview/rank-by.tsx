import { cn } from '@/lib/cn'
import { rankings, type Ranking } from '../search'

const names: Record<Ranking, string> = { requests: 'Requests', cost: 'Cost', tokens: 'Tokens' }

/** Selects the measure of the rankings below. */
export function RankBy({ value, onChange }: { value: Ranking; onChange: (rank: Ranking) => void }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 className="font-semibold">Breakdown</h2>
      <div role="group" aria-label="Rank by" className="flex overflow-hidden rounded-md border border-line-strong bg-surface text-[13px]">
        {rankings.map((rank) => (
          <button key={rank} type="button" aria-pressed={rank === value} onClick={() => onChange(rank)} className={cn('px-2.5 py-0.5 hover:bg-hover', rank === value && 'bg-accent-soft font-medium text-accent-ink hover:bg-accent-soft')}>
            {names[rank]}
          </button>
        ))}
      </div>
      <p className="text-[13px] text-faint">Click a bar to add it to the query.</p>
    </div>
  )
}
