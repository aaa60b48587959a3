import { expect, it } from 'vitest'
import { httpCode, type HttpCall } from './http-code'

const call: HttpCall = {
  method: 'POST', url: 'https://here.test/run', headers: { Authorization: 'Bearer $SOME_KEY', 'Content-Type': 'application/json' },
  body: { text: "it's \"so\"", on: true, off: false, none: null, list: [1, []], more: { a: {} } },
}

it('writes curl', () => {
  expect(httpCode('curl', call)).toContain('-H "Authorization: Bearer $SOME_KEY"')
  expect(httpCode('curl', call)).toContain("it'\\''s")
  expect(httpCode('curl', { method: 'GET', url: 'https://here.test/a?b=c', headers: {} })).toBe("curl 'https://here.test/a?b=c'")
})

it('writes Python with its own literals', () => {
  const code = httpCode('python', call)
  expect(code).toContain('"Authorization": "Bearer " + os.environ["SOME_KEY"],')
  expect(code).toContain('"on": True,')
  expect(code).toContain('"none": None,')
  expect(code).toContain('"a": {},')
})

it('writes JavaScript', () => {
  const code = httpCode('javascript', call)
  expect(code).toContain('"Authorization": "Bearer " + process.env.SOME_KEY,')
  const body = /JSON.stringify\((.*?)\),\n\}\)/s.exec(code)?.[1] ?? ''
  expect(JSON.parse(body)).toEqual(call.body)
})

it('writes Go, quoting texts that contain a backquote', () => {
  expect(httpCode('go', call)).toContain('request.Header.Set("Authorization", "Bearer " + os.Getenv("SOME_KEY"))')
  expect(httpCode('go', { ...call, body: { text: '`' } })).toContain('strings.NewReader("{\\n')
  expect(httpCode('go', { method: 'GET', url: 'https://here.test', headers: {} })).toContain('http.NewRequest("GET", "https://here.test", nil)')
})
