import { describe, expect, it } from 'vitest'
import { messageText, type Message } from '@/request/blueprint'
import { sourceOf, withoutRepeats } from './chat'

const say = (role: string, text: string): Message => ({ role, content: [{ kind: 'text', text }], calls: [] })
const texts = (parts: Message[][]) => parts.map((part) => part.map(messageText))

describe('the conversation of a session', () => {
  const first = [say('system', 'Be kind.'), say('user', 'Hello'), say('assistant', 'Hi')]

  it('leaves out the messages that a call repeats', () => {
    expect(texts(withoutRepeats([first, [...first, say('user', 'Where?'), say('assistant', 'Here')]]))).toEqual([['Hello', 'Hi'], ['Where?', 'Here']])
  })

  it('shows the answers of calls that start the same', () => {
    expect(texts(withoutRepeats([first, first, [...first.slice(0, 2), say('assistant', 'Hey')]]))).toEqual([['Hello', 'Hi'], ['Hi'], ['Hey']])
  })

  it('shows the same words again when they are said again', () => {
    const yes = [...first, say('user', 'Hello'), say('assistant', 'Hi')]
    expect(texts(withoutRepeats([first, yes]))).toEqual([['Hello', 'Hi'], ['Hello', 'Hi']])
  })

  it('compares with all earlier calls, whatever their instructions', () => {
    const other = [say('system', 'Today is Monday.'), say('user', 'Summarise'), say('assistant', 'Done')]
    expect(texts(withoutRepeats([first, other, [say('system', 'Today is Tuesday.'), ...first.slice(1), say('user', 'Bye')]]))).toEqual([['Hello', 'Hi'], ['Summarise', 'Done'], ['Bye']])
  })

  it('tells apart calls of tools', () => {
    const calling = (id: string, text: string): Message => ({ role: 'assistant', content: [], calls: [{ id, name: 'find', arguments: text }] })
    const [a, b] = [[say('user', 'Find'), calling('1', 'a')], [say('user', 'Find'), calling('2', 'a'), say('tool', 'found')]]
    expect(withoutRepeats([a, b])[1]).toEqual([say('tool', 'found')])
    expect(withoutRepeats([a, [say('user', 'Find'), calling('1', 'b')]])[1]).toEqual([calling('1', 'b')])
  })

  it('has nothing of parts without messages', () => expect(withoutRepeats([[], [say('system', 'x')], first])).toEqual([[], [], first.slice(1)]))
})

describe('the messages of a trace', () => {
  const span = (id: string, parent: string | null, request: number | null, attributes = {}) => ({ span_id: id, parent_id: parent, request_log_id: request, attributes, status: { status_code: 'StatusCode.OK' } })

  it('are those of its root', () => {
    const source = sourceOf([span('a', null, null, { 'input.value': 'Hello', 'output.value': 'Hi' }), span('b', 'a', 7)])
    expect('messages' in source && source.messages.map(messageText)).toEqual(['Hello', 'Hi'])
  })

  it('are those of its model calls if the root has none', () => {
    expect(sourceOf([span('a', null, null), span('b', 'a', 7), span('c', 'a', 3), span('d', 'a', 7)])).toEqual({ requests: [7, 3] })
    expect(sourceOf([span('a', null, 5, { 'input.value': 'Hello' })])).toEqual({ requests: [5] })
    expect(sourceOf([])).toEqual({ requests: [] })
  })
})
