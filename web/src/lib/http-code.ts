/** Code that sends an HTTP request, in several languages. It needs nothing but the standard library. */

export interface HttpCall {
  method: 'GET' | 'POST'
  url: string
  /** `$NAME` in a value stands for an environment variable. */
  headers: Record<string, string>
  body?: unknown
}

export const codeLanguages = ['curl', 'python', 'javascript', 'go'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

export function httpCode(language: CodeLanguage, call: HttpCall): string {
  return writers[language](call)
}

const writers: Record<CodeLanguage, (call: HttpCall) => string> = { curl, python, javascript, go }

function curl({ method, url, headers, body }: HttpCall): string {
  const lines = [
    `curl ${body === undefined && method !== 'GET' ? `-X ${method} ` : ''}${shell(url)}`,
    ...Object.entries(headers).map(([name, value]) => (value.includes('$') ? `-H "${name}: ${value}"` : `-H ${shell(`${name}: ${value}`)}`)),
    ...(body === undefined ? [] : [`-d ${shell(JSON.stringify(body, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function python({ method, url, headers, body }: HttpCall): string {
  const environment = Object.values(headers).some((value) => value.includes('$'))
  return [
    'import json', ...(environment ? ['import os'] : []), 'import urllib.request', '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    '    headers={',
    ...Object.entries(headers).map(([name, value]) => `        ${JSON.stringify(name)}: ${fromEnvironment(value, (text) => JSON.stringify(text), (variable) => `os.environ[${JSON.stringify(variable)}]`)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonValue(body, 4)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n')
}

function pythonValue(value: unknown, indent: number): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  const inner = ' '.repeat(indent + 4)
  const wrap = (open: string, parts: string[], close: string) => (parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${' '.repeat(indent)}${close}`)
  if (Array.isArray(value)) return wrap('[', value.map((one) => pythonValue(one, indent + 4)), ']')
  if (typeof value === 'object') return wrap('{', Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, indent + 4)}`), '}')
  return JSON.stringify(value)
}

function javascript({ method, url, headers, body }: HttpCall): string {
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...Object.entries(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${fromEnvironment(value, (text) => JSON.stringify(text), (variable) => `process.env.${variable}`)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(JSON.stringify(await response.json(), null, 2));',
  ].join('\n')
}

function go({ method, url, headers, body }: HttpCall): string {
  const environment = Object.values(headers).some((value) => value.includes('$'))
  const text = body === undefined ? '' : JSON.stringify(body, null, 2)
  const reader = body === undefined ? 'nil' : `strings.NewReader(${text.includes('`') ? JSON.stringify(text) : `\`${text}\``})`
  return [
    'package main', '', 'import (', '\t"fmt"', '\t"io"', '\t"net/http"', ...(environment ? ['\t"os"'] : []), ...(body === undefined ? [] : ['\t"strings"']), ')', '',
    'func main() {',
    `\trequest, err := http.NewRequest(${JSON.stringify(method)}, ${JSON.stringify(url)}, ${reader})`,
    '\tif err != nil {', '\t\tpanic(err)', '\t}',
    ...Object.entries(headers).map(([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${fromEnvironment(value, (part) => JSON.stringify(part), (variable) => `os.Getenv(${JSON.stringify(variable)})`)})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {', '\t\tpanic(err)', '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tif err != nil {', '\t\tpanic(err)', '\t}',
    '\tfmt.Println(response.Status, string(answer))',
    '}',
  ].join('\n')
}

/** An expression for a value with environment variables, such as "Bearer " + os.Getenv("KEY"). */
function fromEnvironment(value: string, quote: (text: string) => string, read: (variable: string) => string): string {
  const parts = value.split(/\$([A-Z_][A-Z0-9_]*)/)
  return parts.flatMap((part, index) => (index % 2 === 1 ? [read(part)] : part === '' ? [] : [quote(part)])).join(' + ') || quote('')
}
