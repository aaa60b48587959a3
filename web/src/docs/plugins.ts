import type { System } from 'swagger-ui-dist/swagger-ui-es-bundle'
import { resolveSubtree } from './resolve'

/**
 * The layout of the page, with a field for the key instead of a dialog, and
 * components of Swagger UI that would not be accessible: links inside buttons, a
 * text area without a name, and scrolling text that the keyboard cannot reach.
 */
export function layout({ React }: System) {
  const h = React.createElement
  return {
    components: {
      Reference({ getComponent, specSelectors, layoutActions, authActions }: System) {
        const state = specSelectors.loadingStatus()
        const part = (name: string) => h(getComponent(name, true))
        if (state !== 'success') {
          return h('p', { role: 'status' }, state === 'failed' ? 'The OpenAPI document could not be loaded. Check that the server is running, then reload the page.' : 'Loading…')
        }
        return h(
          'div',
          { className: 'swagger-ui' },
          h(getComponent('SvgAssets')),
          h(
            'div',
            { className: 'tools' },
            h('input', {
              type: 'search',
              'aria-label': 'Filter operations',
              placeholder: 'Filter by summary, path or tag',
              onChange: (event: { target: { value: string } }) => layoutActions.updateFilter(event.target.value),
            }),
            h('input', {
              type: 'password',
              autoComplete: 'off',
              'aria-label': 'API key',
              placeholder: 'API key',
              onChange: (event: { target: { value: string } }) => sendKey(authActions, event.target.value.trim()),
            }),
          ),
          part('errors'),
          h('h2', { className: 'hidden-heading' }, 'Operations'),
          part('operations'),
        )
      },
      authorizeOperationBtn: () => null,
      DeepLink: ({ text }: { text: string }) => h('span', null, text),
      TextArea: (props: Record<string, unknown>) => h('textarea', { 'aria-label': 'Request body', spellCheck: false, ...props }),
      PlainTextViewer: ({ className, children }: { className?: string; children: string }) => h('pre', { className: `microlight ${className ?? ''}`, tabIndex: 0 }, children),
    },
  }
}

// As in the document.
const scheme = 'ApiKey'

function sendKey(actions: System['authActions'], key: string): void {
  if (key === '') actions.logout([scheme])
  else actions.authorize({ [scheme]: { value: key, schema: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } })
}

export function resolver() {
  return { fn: { resolveSubtree: async (document: unknown, path: string[]) => ({ spec: resolveSubtree(document, path), errors: [] }) } }
}

// The parts of Immutable collections that the filter uses.
interface Collection<T> {
  size: number
  filter: (keep: (item: T, key: string) => boolean) => Collection<T>
  map: (change: (item: T, key: string) => T) => Collection<T>
}
interface Tag {
  get: (key: 'operations') => Collection<Operation>
  set: (key: 'operations', operations: Collection<Operation>) => Tag
}
interface Operation {
  get: (key: 'path' | 'method') => string
  getIn: (path: string[]) => string | undefined
}

/** Filters by what people look for; the filter of Swagger UI does not know summaries. */
export function filterOperations() {
  return {
    fn: {
      opsFilter(tags: Collection<Tag>, phrase: string): Collection<Tag> {
        const words = phrase.toLowerCase().split(/\s+/)
        return tags
          .map((tag, name) => tag.set('operations', tag.get('operations').filter((operation) => words.every((word) => textOf(operation, name).includes(word)))))
          .filter((tag) => tag.get('operations').size > 0)
      },
    },
  }
}

function textOf(operation: Operation, tag: string): string {
  const parts = [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'operationId']), tag]
  return parts.join(' ').toLowerCase()
}
