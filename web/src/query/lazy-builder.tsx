import { lazy, Suspense, type ComponentProps } from 'react'
import { Loading } from '@/ui/page'

const Lazy = lazy(() => import('./builder'))

/** The builder of queries, fetched when the first one is opened. */
export function Builder(props: ComponentProps<typeof Lazy>) {
  return (
    <Suspense fallback={<Loading />}>
      <Lazy {...props} />
    </Suspense>
  )
}
