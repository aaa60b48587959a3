import type { Results } from '../data'
import type { Definition } from './definition'
import { needsOf } from './references'

/**
 * While a run is in progress, a queued node whose dependencies are done is
 * running: the server records only some node types as running.
 */
export function withUnderWay(definition: Definition, results: Results): Results {
  const done = (name: string) => {
    const status = results[name]?.status
    return status === undefined || (status !== 'QUEUED' && status !== 'RUNNING')
  }
  const shown = { ...results }
  for (const node of definition.nodes) {
    const result = results[node.name]
    if (result?.status === 'QUEUED' && needsOf(node).every(done)) shown[node.name] = { ...result, status: 'RUNNING' }
  }
  return shown
}
