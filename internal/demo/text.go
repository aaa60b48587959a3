package demo

import "math"

// input writes the messages before the answer: the system message, earlier
// turns, and the message of the user.
func (d *draft) input() {
	d.str(`{"type":"chat","messages":[`)
	d.open("system")
	d.out = append(d.out, d.style.systems[d.prompt]...)
	d.close()
	for turn := 0; turn < 4 && d.rng.Float64() < d.style.history; turn++ {
		d.str(`,`)
		d.open("user")
		d.template(pick(d.rng, d.style.asks))
		d.close()
		d.str(`,`)
		d.earlierAnswer()
	}
	d.str(`,`)
	d.userMessage()
	d.str(`]`)
	if d.style.shape == toolCall {
		d.str(`,"tools":`)
		d.out = append(d.out, d.style.toolJSON[d.prompt]...)
	}
	d.str(`}`)
}

// earlierAnswer writes an assistant message of the history. Agents call a tool
// and get its result.
func (d *draft) earlierAnswer() {
	if d.style.shape == toolCall {
		d.toolMessage(1)
		d.str(`,{"role":"tool","tool_call_id":"call_`, string(d.id[:]), `","content":[{"type":"text","text":"`)
		d.sentences(d.length(18, 0.8))
		d.close()
		return
	}
	d.open("assistant")
	d.answerText(d.length(24, 0.7))
	d.close()
}

func (d *draft) userMessage() {
	d.hasID = false
	d.open("user")
	d.template(pick(d.rng, d.style.asks))
	d.str(` `)
	d.sentences(d.length(80, 0.95))
	for _, p := range allPlanted {
		if p.In(d.index) {
			d.str(` It mentions the `, p.Word, ` as well.`)
		}
	}
	if !d.hasID {
		d.str(` Reference `, string(d.id[:]), `.`)
	}
	d.close()
}

// output writes the answer, or no message if the request failed.
func (d *draft) output() {
	d.str(`{"type":"chat","messages":[`)
	switch {
	case d.failed != nil && !d.failed.answers:
	case d.style.shape == toolCall && d.rng.IntN(100) < 85:
		d.toolMessage(1 + min(int(d.rng.ExpFloat64()*0.6), 3))
	case d.style.shape == jsonObject && d.rng.IntN(100) < 96:
		d.open("assistant")
		d.fields(outputFields[d.prompt])
		d.close()
	default:
		d.str(`{"role":"assistant","content":[`)
		if d.model.thinks && d.rng.IntN(3) == 0 {
			d.str(`{"type":"thinking","thinking":"`)
			d.sentences(d.length(20, 0.6))
			d.str(`"},`)
		}
		d.str(`{"type":"text","text":"`)
		d.answerText(d.length(62, 0.8))
		d.close()
	}
	d.str(`]}`)
}

// answerText writes a plain text answer. A style without sentences uses those
// of the first style.
func (d *draft) answerText(words int) {
	replies := d.style.replies
	if len(replies) == 0 {
		replies = d.styles[0].replies
	}
	d.template(pick(d.rng, replies))
	d.str(` `)
	d.sentences(words)
}

// toolMessage writes an assistant message with n tool calls.
func (d *draft) toolMessage(n int) {
	d.str(`{"role":"assistant","content":[],"tool_calls":[`)
	set := d.style.toolSets[d.prompt]
	for i := range n {
		if i > 0 {
			d.str(`,`)
		}
		t := pick(d.rng, set)
		d.str(`{"id":"call_`, string(d.id[:]), `","type":"function","function":{"name":"`, t.name, `","arguments":"`)
		d.fields(t.args)
		d.str(`"}}`)
	}
	d.str(`]}`)
}

// fields writes a JSON object inside a JSON string.
func (d *draft) fields(fields []field) {
	d.str(`{`)
	for i, f := range fields {
		if i > 0 {
			d.str(`,`)
		}
		d.str(`\"`, f.key, `\":`)
		d.value(f)
	}
	d.str(`}`)
}

func (d *draft) value(f field) {
	switch f.kind {
	case enumeration:
		d.str(`\"`, pick(d.rng, f.values), `\"`)
	case number:
		d.int(int64(d.rng.IntN(1000)))
	case share:
		d.str(`0.`)
		d.int(int64(50 + d.rng.IntN(50)))
	case sentence:
		d.str(`\"`)
		d.sentences(d.length(16, 0.7))
		d.str(`\"`)
	case identifier:
		d.str(`\"`, string(d.id[:]), `\"`)
	case wordList:
		d.wordList()
	case object:
		d.fields(f.fields)
	case maybe:
		if d.rng.IntN(5) == 0 {
			d.str(`null`)
			return
		}
		d.str(`\"`)
		d.word()
		d.str(`\"`)
	}
}

func (d *draft) wordList() {
	d.str(`[`)
	for i := range 1 + d.rng.IntN(6) {
		if i > 0 {
			d.str(`,`)
		}
		d.str(`\"`)
		d.word()
		d.str(`\"`)
	}
	d.str(`]`)
}

func (d *draft) open(role string) {
	d.str(`{"role":"`, role, `","content":[{"type":"text","text":"`)
}

func (d *draft) close() { d.str(`"}]}`) }

func (d *draft) template(t template) {
	for _, s := range t {
		d.out = append(d.out, s.text...)
		switch s.slot {
		case wordSlot:
			d.contentWord()
		case numberSlot:
			d.int(int64(2 + d.rng.IntN(500)))
		case idSlot:
			d.hasID = true
			d.out = append(d.out, d.id[:]...)
		}
	}
}

func (d *draft) word() { d.out = d.words.appendWord(d.out, d.draw(d.words.table)) }

// contentWord writes a word for a slot of a sentence.
func (d *draft) contentWord() {
	at := d.draw(d.words.table)
	for at < particles {
		at = d.draw(d.words.table)
	}
	d.out = d.words.appendWord(d.out, at)
}

// length returns a random number of words with the given median and a heavy
// upper tail.
func (d *draft) length(median, spread float64) int {
	return min(int(median*math.Exp(d.rng.NormFloat64()*spread))+1, 6000)
}

// sentences writes about the given number of words. Half of the sentences have
// the structure of English, the others are random words.
func (d *draft) sentences(words int) {
	for words > 0 {
		begin := len(d.out)
		if d.source.Uint64()&1 == 0 {
			frame := pick(d.rng, frames)
			d.template(frame)
			words -= frameWords
		} else {
			n := min(words, 6+d.rng.IntN(12))
			d.bareWords(n)
			words -= n
		}
		if first := d.out[begin]; first >= 'a' {
			d.out[begin] = first - 'a' + 'A'
		}
		d.out = append(d.out, '.')
		if words > 0 {
			d.out = append(d.out, ' ')
		}
	}
}

func (d *draft) bareWords(n int) {
	for i := range n {
		if i > 0 {
			d.out = append(d.out, ' ')
		}
		d.word()
	}
}
