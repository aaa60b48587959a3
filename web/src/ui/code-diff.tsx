import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { cn } from '@/lib/cn'
import { languageExtension, type Language } from './code-language'
import { codeTheme } from './code-theme'
import { lineDiff } from './line-diff'

const diffConfig = { override: lineDiff }

export interface CodeDiffProps {
  before: string
  after: string
  language?: Language
  /** Shows both versions in one column instead of side by side, as narrow screens always do. */
  unified?: boolean
  className?: string
}

/** Shows the differences between two texts. Import it through `@/ui/code`. */
export default function CodeDiff({ before, after, language = 'text', unified = false, className }: CodeDiffProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parent = host.current
    if (parent === null) return
    const extensions = (label: string) => [
      codeTheme, lineNumbers(), EditorView.lineWrapping, EditorState.readOnly.of(true), EditorView.editable.of(false), languageExtension(language),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ]
    const collapseUnchanged = { margin: 3, minSize: 6 }
    if (unified || window.innerWidth < 768) {
      const view = new EditorView({
        parent,
        doc: after,
        extensions: [extensions('Differences'), unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged, diffConfig })],
      })
      return () => view.destroy()
    }
    const merge = new MergeView({
      parent,
      a: { doc: before, extensions: extensions('Before') },
      b: { doc: after, extensions: extensions('After') },
      collapseUnchanged,
      diffConfig,
    })
    return () => merge.destroy()
  }, [before, after, language, unified])
  return <div ref={host} className={cn('overflow-auto rounded-md border border-line', className)} />
}
