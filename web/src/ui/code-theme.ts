import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { nonce } from '@/lib/nonce'

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], color: 'var(--violet)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number], color: 'var(--warn)' },
  { tag: [tags.propertyName, tags.attributeName, tags.heading, tags.function(tags.variableName)], color: 'var(--info)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--accent-ink)' },
])

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  // No ligatures: with them, === looks like a different character.
  '.cm-scroller': { fontFamily: 'var(--font-mono)', fontVariantLigatures: 'none', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--accent-ink)' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-soft)' },
  '.cm-deletedLine, .cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--accent) 28%, transparent)' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--dim)' },
  // Most fonts lack the character that CodeMirror uses here.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
})

/** The theme of all editors, with the nonce that the content security policy requires of styles. */
export const codeTheme = [EditorView.cspNonce.of(nonce), look, syntaxHighlighting(colours)]
