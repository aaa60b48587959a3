import { lazy, Suspense, type ComponentProps } from 'react'
import { Loading } from '@/ui/page'

const Lazy = lazy(() => import('./builder'))

/** The query builder, loaded when it is first opened. */
export function Builder(props: ComponentProps<typeof Lazy>) {
  return (
    <Suspense fallback={<Loading />}>
      <Lazy {...props} />
    </Suspense>
  )
}
