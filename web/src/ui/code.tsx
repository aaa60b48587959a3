import { lazy, Suspense } from 'react'
import type { CodeDiffProps } from './code-diff'
import type { CodeEditorProps } from './code-editor'
import { Loading } from './page'

// CodeMirror is large, so it is loaded with the first editor.
const LazyEditor = lazy(() => import('./code-editor'))
const LazyDiff = lazy(() => import('./code-diff'))

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Loading label="Loading editor" />}>
      <LazyEditor {...props} />
    </Suspense>
  )
}

export function CodeDiff(props: CodeDiffProps) {
  return (
    <Suspense fallback={<Loading label="Loading comparison" />}>
      <LazyDiff {...props} />
    </Suspense>
  )
}
