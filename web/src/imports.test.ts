import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/**
 * Folders from the bottom up. A file may import from its own folder and from
 * lower layers. The domain folders, which share a layer, may import each
 * other; page folders may not.
 */
const layers = [['lib'], ['api'], ['ui'], ['dataset', 'deletion', 'evaluation', 'export', 'folder', 'query', 'registry', 'request', 'step', 'template'], ['shell'], ['pages'], ['', 'docs']]

type Imports = Map<string, string[]>

const root = dirname(fileURLToPath(import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const imports: Imports = new Map(sources.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
  return importedFiles.flatMap(({ fileName }) => resolve(file, fileName) ?? [])
}

function resolve(from: string, name: string): string | undefined {
  if (!name.startsWith('.') && !name.startsWith('@/')) return undefined
  const path = name.startsWith('@/') ? name.slice(2) : relative(root, join(root, dirname(from), name))
  const found = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => path + end).find((candidate) => sources.includes(candidate))
  if (found === undefined && !/\.(css|d)$|schema$/.test(path)) throw new Error(`${from}: cannot resolve ${name}`)
  return found
}

/** The first circle found from each start, as the path that leads back to it. */
function circlesOf(graph: Imports): string[][] {
  const finished = new Set<string>()
  const circles: string[][] = []
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file])
    if (start >= 0 || finished.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    finished.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}

function layerOf(file: string): number {
  const folder = file.includes('/') ? (file.split('/')[0] ?? '') : ''
  const layer = layers.findIndex((folders) => folders.includes(folder))
  if (layer < 0) throw new Error(`${file}: add the folder to the layers`)
  return layer
}

/** The area of a file: its page folder or its top folder. */
function areaOf(file: string): string {
  return file.split('/').slice(0, file.startsWith('pages/') ? 2 : 1).join('/')
}

function mayImport(from: string, to: string): boolean {
  if (layerOf(from) !== layerOf(to)) return layerOf(from) > layerOf(to)
  return !from.startsWith('pages/') || areaOf(from) === areaOf(to)
}

describe('imports', () => {
  it('have no circles', () => expect(circlesOf(imports)).toEqual([]))

  it('go down the layers, and never from one page folder to another', () => {
    const wrong = [...imports].flatMap(([from, targets]) => targets.filter((to) => !mayImport(from, to)).map((to) => `${from} imports ${to}`))
    expect(wrong).toEqual([])
  })
})

describe('the check itself', () => {
  it('reads the imports of this app', () => {
    expect(sources.length).toBeGreaterThan(300)
    expect(imports.get('router.tsx')).toContain('pages/requests/search.ts')
    // Loaded when first visited.
    expect(imports.get('router.tsx')).toContain('pages/requests/index.tsx')
  })

  it('finds circles', () => {
    const graph = new Map([['a', ['b', 'c']], ['b', ['d']], ['c', ['d']], ['d', []]])
    expect(circlesOf(graph)).toEqual([])
    expect(circlesOf(new Map([...graph, ['d', ['b']]]))).toEqual([['b', 'd', 'b']])
  })

  it.each([
    ['pages/prompts/index.tsx', 'pages/prompts/list/actions.ts', true],
    ['pages/playground/index.tsx', 'pages/prompts/search.ts', false],
    ['pages/prompts/index.tsx', 'template/data.ts', true],
    ['folder/data.ts', 'template/data.ts', true],
    ['template/data.ts', 'pages/prompts/search.ts', false],
    ['ui/page.tsx', 'query/state.ts', false],
  ])('%s imports %s: %s', (from, to, allowed) => expect(mayImport(from, to)).toBe(allowed))
})
