import type { CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import CodeEditor from '@/ui/code-editor'
import type { TemplateFormat } from '../types'
import { isName } from '../variables'
import type { PromptTextProps } from './prompt-text-props'

const look = EditorView.baseTheme({
  '.cm-prompt-variable': { color: 'var(--accent-ink)', backgroundColor: 'var(--accent-soft)', borderRadius: '3px' },
  '.cm-prompt-odd': { color: 'var(--warn)', backgroundColor: 'var(--warn-soft)', borderRadius: '3px' },
  '.cm-prompt-code': { color: 'var(--violet)', backgroundColor: 'var(--violet-soft)', borderRadius: '3px' },
  '.cm-prompt-comment': { color: 'var(--faint)', fontStyle: 'italic' },
  '.cm-prompt-snippet': { color: 'var(--info)', backgroundColor: 'var(--info-soft)', borderRadius: '3px' },
})

const mark = (name: string, title?: string) => Decoration.mark({ class: `cm-prompt-${name}`, attributes: title === undefined ? {} : { title } })
const marks = {
  variable: mark('variable'),
  odd: mark('odd', 'Not a valid variable name. Double the braces to use them as text.'),
  code: mark('code'),
  comment: mark('comment'),
  snippet: mark('snippet', 'Snippet: replaced by its text'),
}

const patterns: Record<TemplateFormat, RegExp> = {
  'f-string': /@@@[^\n]+?@@@|\{\{|\}\}|\{[^{}\n]+\}/g,
  jinja2: /@@@[^\n]+?@@@|\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g,
}

function markOf(found: string): Decoration | null {
  if (found.startsWith('@@@')) return marks.snippet
  if (found.startsWith('{%')) return marks.code
  if (found.startsWith('{#')) return marks.comment
  if (found.length === 2) return null
  if (found.startsWith('{{')) return marks.variable
  return isName(found.slice(1, -1).split(/[!:[.]/, 1)[0] ?? '') ? marks.variable : marks.odd
}

function highlighter(format: TemplateFormat) {
  const matcher = new MatchDecorator({ regexp: patterns[format], decoration: ([found]) => markOf(found) })
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view)
      }
      update(update: ViewUpdate) {
        this.decorations = matcher.updateDeco(update, this.decorations)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

// The editor keeps the extensions it was created with.
const extensions = { 'f-string': [look, highlighter('f-string')], jinja2: [look, highlighter('jinja2')] }

/** Inserts a completion and replaces closing characters that are already there. */
function apply(text: string, closing: string) {
  return (view: EditorView, _: unknown, from: number, to: number) => {
    const behind = view.state.sliceDoc(to, to + closing.length)
    let swallow = 0
    while (swallow < closing.length && behind[swallow] === closing[swallow]) swallow++
    view.dispatch({ changes: { from, to: to + swallow, insert: text }, selection: { anchor: from + text.length }, userEvent: 'input.complete' })
  }
}

function completeVariable(context: CompletionContext, names: string[], format: TemplateFormat): CompletionResult | null {
  const typed = context.matchBefore(format === 'jinja2' ? /\{\{\s*\w*/ : /(?<!\{)\{\w*/)
  if (typed === null || names.length === 0) return null
  const [open, close] = format === 'jinja2' ? ['{{ ', ' }}'] : ['{', '}']
  return {
    from: typed.from,
    filter: true,
    options: names.map((name) => ({ label: open + name + close, displayLabel: name, type: 'variable', apply: apply(open + name + close, close.trim()) })),
  }
}

/** The editor of a prompt's text. Import it through prompt-text, which loads it on demand. */
export default function PromptCode({ format, variables, snippets, pins, ...rest }: PromptTextProps) {
  const known = useRef({ variables, snippets, pins })
  useEffect(() => {
    known.current = { variables, snippets, pins }
  })
  const complete: CompletionSource = async (context) => {
    const pinned = context.matchBefore(/@@@[^@\n]+@[a-z_]*:?[^@\n]*/)
    const name = pinned?.text.slice(3).split('@', 1)[0] ?? ''
    if (pinned !== null && known.current.pins && known.current.snippets?.includes(name)) {
      const choices = await known.current.pins(name)
      return { from: pinned.from, options: choices.map((choice) => ({ label: `@@@${name}@${choice}@@@`, displayLabel: choice, type: 'constant', apply: apply(`@@@${name}@${choice}@@@`, '@@@') })) }
    }
    const tag = context.matchBefore(/@@@?[^@\n]*/)
    if (tag !== null) {
      return {
        from: tag.from,
        filter: tag.text.startsWith('@@@'),
        options: (known.current.snippets ?? []).map((name) => ({ label: `@@@${name}@@@`, displayLabel: name, detail: 'snippet', type: 'class', apply: apply(`@@@${name}@@@`, '@@@') })),
      }
    }
    return completeVariable(context, known.current.variables ?? [], format)
  }
  // A different format needs a new editor, because its extensions cannot change.
  return <CodeEditor key={format} {...rest} extensions={extensions[format]} complete={complete} />
}
