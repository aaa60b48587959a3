import { Switch } from '@/ui/field'
import { choosesSources, type QueryState, type Sources } from './state'

const remembered = 'promptuary.sources'

/** The sources of pages with numbers: those of the URL, else those last chosen in this browser, else production. */
export function sourcesOf(address: Sources | undefined): Sources {
  return address ?? (localStorage.getItem(remembered) === 'all' ? 'all' : 'production')
}

/** Remembers the sources for other pages with numbers. */
export function rememberSources(sources: Sources): void {
  localStorage.setItem(remembered, sources)
}

/** Leaves the playground and evaluations out of what a page shows, and says so. */
export function ProductionSwitch({ state, onChange }: { state: QueryState; onChange: (sources: Sources) => void }) {
  const own = choosesSources(state)
  const on = state.sources === 'production' && !own
  const words = own ? 'The query says which sources it is about' : on ? 'Without the playground and evaluations' : 'With the playground and evaluations'
  return (
    <div className="flex min-h-8 items-center gap-2 text-[13px]" title={words}>
      <Switch label="Production only" checked={on} disabled={own} onChange={(next) => onChange(next ? 'production' : 'all')} />
      <span className="text-faint max-lg:sr-only">{words}</span>
    </div>
  )
}
