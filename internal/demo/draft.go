package demo

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"
)

// draft is a log being written. Its random values depend only on the seed and
// the index of the log.
//
// It does not use jsontree.Writer: texts are composed word by word inside JSON
// strings, and benchmarks generate hundreds of thousands of logs. No word needs
// an escape.
type draft struct {
	*Generator
	source rand.PCG
	rng    *rand.Rand
	out    []byte
	index  int
	id     [7]byte

	style  *preparedStyle
	prompt int // within the style
	model  *model
	failed *failure // nil for a success
	// hasID reports whether the current message contains the identifier.
	hasID bool
}

// idSpace is the number of identifiers: six digits in base 36.
const idSpace = 36 * 36 * 36 * 36 * 36 * 36

// setID derives the identifier: a digit, so that it resembles no word, and the
// index times a number coprime to idSpace, so that identifiers are unique and
// those of neighbouring logs differ.
func (d *draft) setID() {
	x := uint64(d.index) * 1_640_531_527 % idSpace
	d.id[0] = byte('1' + x%9)
	for i := 1; i < len(d.id); i++ {
		d.id[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[x%36]
		x /= 36
	}
}

func (d *draft) write() {
	d.style = &d.styles[d.draw(d.styleDraw)]
	d.prompt = min(int(d.rng.ExpFloat64()*2.2), len(d.style.prompts)-1)
	d.model = &models[d.draw(d.modelDraw)]
	if d.rng.Float64() < 0.04 {
		d.failed = &failures[min(int(d.rng.ExpFloat64()*3), len(failures)-1)]
	}
	d.str(`{"provider":"`, d.model.provider, `","model":"`, d.model.name, `"`)
	if d.model.apiType != "" {
		d.str(`,"api_type":"`, d.model.apiType, `"`)
	}
	begin := len(d.out)
	d.str(`,"input":`)
	d.input()
	middle := len(d.out)
	d.str(`,"output":`)
	d.output()
	d.numbers(int64(middle-begin)/4, int64(len(d.out)-middle)/4)
	d.parameters()
	d.tags()
	d.metadata()
	d.link()
	d.verdict()
	d.str(`}`)
}

// numbers writes times, tokens and the price. The latency grows with the length
// of the output and has a heavy tail.
func (d *draft) numbers(input, output int64) {
	if d.failed != nil && !d.failed.answers {
		output = 0
	}
	seconds := (0.3 + float64(output)/d.model.tokensPerSecond) * math.Exp(d.rng.NormFloat64()*0.6)
	start := d.start()
	d.str(`,"request_start_time":"`)
	d.time(start)
	d.str(`","request_end_time":"`)
	d.time(start.Add(time.Duration(min(seconds, 300) * float64(time.Second))))
	d.str(`","input_tokens":`)
	d.int(input)
	d.str(`,"output_tokens":`)
	d.int(output)
	d.str(`,"price":`)
	price := (float64(input)*d.model.input + float64(output)*d.model.output) / 1e6
	d.out = strconv.AppendFloat(d.out, math.Round(price*1e8)/1e8, 'f', -1, 64)
}

// start returns the start time of the request. Times rise with the index, with
// some jitter as from queues and retries.
func (d *draft) start() time.Time {
	behind := float64(d.cfg.Logs-d.index) * d.pace
	jitter := d.rng.ExpFloat64() * 20e6
	return d.cfg.End.Add(-time.Duration(behind+jitter) * time.Microsecond).UTC()
}

func (d *draft) parameters() {
	d.str(`,"parameters":{"temperature":0.`)
	d.int(int64(d.rng.IntN(10)))
	d.str(`,"max_tokens":`)
	d.int(int64(256 << d.rng.IntN(5)))
	if d.style.shape == jsonObject {
		d.str(`,"response_format":{"type":"json_object"}`)
	}
	d.str(`},"function_name":"`, d.model.fn, `"`)
}

func (d *draft) tags() {
	d.str(`,"tags":[`)
	for i := range min(int(d.rng.ExpFloat64()*1.7), 5) {
		if i > 0 {
			d.str(`,`)
		}
		d.str(`"`, tags[d.draw(d.tagDraw)], `"`)
	}
	d.str(`]`)
}

func (d *draft) metadata() {
	u := d.rng.Float64()
	d.str(`,"metadata":{"user_id":"user_`)
	d.int(int64(u * u * u * 60_000))
	d.str(`","env":"`, environments[min(int(d.rng.ExpFloat64()*0.7), len(environments)-1)])
	d.str(`","region":"`, pick(d.rng, regions))
	d.str(`","prompt":"`, d.style.prompts[d.prompt], `"`)
	if d.rng.IntN(10) < 8 {
		d.str(`,"feature":"`, pick(d.rng, features), `"`)
	}
	if d.rng.IntN(10) < 6 {
		d.str(`,"session":"s_`)
		d.out = strconv.AppendUint(d.out, mix(uint64(d.index+d.rng.IntN(30))/6)>>24, 36)
		d.str(`"`)
	}
	d.str(`}`)
}

// verdict writes the status, the error and the scores.
func (d *draft) verdict() {
	if d.failed != nil {
		d.str(`,"status":"`, d.failed.status, `","error_type":"`, d.failed.kind, `","error_message":"`, d.failed.message, `"`)
		return
	}
	d.str(`,"status":"SUCCESS"`)
	switch d.rng.IntN(20) {
	case 0:
		d.str(`,"score":`)
		d.int(int64(d.rng.IntN(101)))
	case 1:
		d.str(`,"score_name":"quality","score":`)
		d.int(int64(60 + d.rng.IntN(41)))
	}
}

func (d *draft) str(parts ...string) {
	for _, part := range parts {
		d.out = append(d.out, part...)
	}
}

func (d *draft) int(n int64) { d.out = strconv.AppendInt(d.out, n, 10) }

func (d *draft) time(t time.Time) { d.out = t.AppendFormat(d.out, "2006-01-02T15:04:05.000000Z") }

// draw returns a random index with the probabilities of the table.
func (d *draft) draw(table []aliasEntry) int { return draw(table, d.source.Uint64()) }
