import { autocompletion, closeBrackets, completionKeymap, type CompletionSource } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter } from '@codemirror/language'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { cn } from '@/lib/cn'
import { languageExtension, type Language } from './code-language'
import { codeTheme } from './code-theme'

export interface CodeEditorProps {
  value: string
  onChange?: (value: string) => void
  language?: Language
  readOnly?: boolean
  lines?: boolean
  placeholder?: string
  /** Offers completions, such as the names of variables or snippets. */
  complete?: CompletionSource
  /** Additional extensions. Must be the same object on every render. */
  extensions?: Extension
  /** Takes the focus when this becomes true. */
  focused?: boolean
  /** The accessible name. */
  label: string
  className?: string
}

/** Marks changes made by the page, which it does not need to be notified of. */
const fromPage = Annotation.define<boolean>()

/**
 * An editor for code and prompts. Tab leaves the editor, so keyboard users are
 * not trapped. Import it through `@/ui/code`, which loads it on demand.
 */
export default function CodeEditor({ value, onChange, language = 'text', readOnly = false, lines = false, placeholder, complete, extensions, focused = false, label, className }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const change = useRef(onChange)
  const completion = useRef(complete)
  const mode = useRef(new Compartment())
  useEffect(() => {
    change.current = onChange
    completion.current = complete
  })
  useEffect(() => {
    if (host.current === null) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          codeTheme,
          history(),
          closeBrackets(),
          bracketMatching(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          lines ? [lineNumbers(), foldGutter()] : [],
          placeholder ? placeholderText(placeholder) : [],
          autocompletion({ override: [async (context) => (await completion.current?.(context)) ?? null] }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((made) => made.annotation(fromPage))) change.current?.(update.state.doc.toString())
          }),
          mode.current.of([languageExtension(language), EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]),
          extensions ?? [],
        ],
      }),
    })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
    // The editor is created once; the effects below apply changes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, annotations: fromPage.of(true) })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: mode.current.reconfigure([languageExtension(language), EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]) })
  }, [language, readOnly])
  useEffect(() => {
    // Wait until the editor is editable.
    if (focused) view.current?.focus()
  }, [focused])
  return <div ref={host} className={cn('overflow-hidden rounded-md border border-line-strong focus-within:border-accent', className)} />
}
