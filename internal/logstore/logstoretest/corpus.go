package logstoretest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// The workspaces of the corpus. Most questions are asked about Home; nothing of
// Away may ever come back.
const (
	Home int64 = 1
	Away int64 = 2
)

// corpusSize is how many logs the corpus has. More than 300 of them match some
// question, from where on engines may treat a set of logs differently.
const corpusSize = 520

// Corpus returns the same few hundred varied logs of both workspaces at every
// call, in the order in which they are to be appended.
func Corpus() []*reqlog.Log {
	var logs []*reqlog.Log
	for _, l := range corpus() {
		logs = append(logs, copyOf(l)) // a store owns what it is given
	}
	return logs
}

var corpus = sync.OnceValue(func() []*reqlog.Log {
	m := &maker{rng: rand.New(rand.NewPCG(20240229, 7))}
	logs := make([]*reqlog.Log, corpusSize)
	for i := range logs {
		logs[i] = m.log(i)
	}
	return logs
})

// maker invents logs.
type maker struct {
	rng *rand.Rand
	id  int64
}

func pick[T any](m *maker, from []T) T { return from[m.rng.IntN(len(from))] }

// chance is true in percent of all cases.
func (m *maker) chance(percent int) bool { return m.rng.IntN(100) < percent }

// log invents the i-th log. The body goes the way of a client's body; what a
// client cannot say is set afterwards.
func (m *maker) log(i int) *reqlog.Log {
	l := decode(m.body(i))
	m.id += 1 + int64(m.rng.IntN(3))/2
	l.ID, l.Workspace = m.id, Home
	if i >= len(oddities) && i%4 == 3 {
		l.Workspace = Away
	}
	l.CreatedAt = l.Start + 5
	m.server(l, i)
	if i < len(oddities) {
		oddLog(l, oddities[i])
	}
	reqlog.Derive(l)
	return l
}

// server adds what does not come with the body.
func (m *maker) server(l *reqlog.Log, i int) {
	if i%3 == 0 {
		l.Scores, l.Score = []reqlog.Score{{Name: "tone", Value: int64(i%5) * 25}, {Name: reqlog.DefaultScore, Value: int64(i % 101)}}, int64(i%101)
	}
	if m.chance(50) {
		l.Usage.CacheRead, l.Usage.Reasoning = provider.Tokens(int64(m.rng.IntN(50))), provider.Tokens(int64(m.rng.IntN(9))*100)
	}
	if m.chance(20) {
		l.SpanID = fmt.Sprintf("%016x", i)
	}
	// Some logs are from before sources were recorded.
	l.Source = []reqlog.Source{"", reqlog.SourceAPI, reqlog.SourceOTLP, reqlog.SourceEvaluation}[i%4]
	if i%9 == 4 {
		l.Source, l.Tags = "", append(l.Tags, "playground")
	}
	if i%5 == 2 {
		l.KeyID = int64(i%3) + 7
	}
	if m.chance(15) {
		l.GroupID = int64(m.rng.IntN(4)) + 1
	}
	if m.chance(45) {
		m.prompt(l)
	} else if i%7 == 0 {
		l.Variables = json.RawMessage(`{ "city": "of no template", "<": 1.0 }`)
	}
	switch i % 40 {
	case 11:
		l.Engine = ""
	case 12:
		l.Engine = chart.UnknownModel
	case 13:
		l.Usage.Input, l.Usage.Output = provider.Tokens(1<<53), provider.Tokens(1<<53-1)
	case 14:
		l.Price = reqlog.Price{USD: math.Copysign(0, -1), Source: reqlog.PriceSent}
	case 15, 16:
		l.Price = reqlog.Price{}
	case 17:
		l.Usage = provider.Usage{}
	case 18:
		l.Usage.Output, l.Price = provider.Count{}, reqlog.Price{}
	case 19:
		l.Usage.CacheWrite, l.Usage.CacheWriteLong, l.Usage.Batch = provider.Tokens(9), provider.Tokens(4), true
		l.Price.Source = reqlog.PriceCustom
	}
}

// decode reads a body as the server does.
func decode(body map[string]any) *reqlog.Log {
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("encode a body of the corpus: %v", err))
	}
	tree, err := jsontree.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("parse a body of the corpus: %v", err))
	}
	var problems fault.Problems
	in := reqlog.DecodeLog(tree, nil, &problems)
	if err := problems.Err(); err != nil {
		panic(fmt.Sprintf("a body of the corpus breaks a rule: %v: %s", err, text))
	}
	return in.Log
}

var promptIDs = []int64{7, 8, 9, 70, 1 << 53, math.MaxInt64 - 1, math.MaxInt64}

func (m *maker) prompt(l *reqlog.Log) {
	l.Prompt = &reqlog.PromptLink{ID: pick(m, promptIDs), Version: int64(m.rng.IntN(4)) + 1}
	if m.chance(80) {
		l.Variables = join(`{ "city": `, quote(pick(m, words)), `, "deep": {"list": [1, 2.50, null, true]}, "unused": "<b>" }`)
		l.Prompt.Referenced = []string{"city", "deep", "absent"}
	}
}

// span are the instants of the corpus: around the end of a leap February and
// of a year, with ties, and at the edges of what can be logged.
func (m *maker) span(i int) (start, end time.Time) {
	bases := []time.Time{
		time.Date(2024, 2, 28, 22, 0, 0, 0, time.UTC), time.Date(2023, 12, 31, 20, 0, 0, 0, time.UTC),
		time.Date(2024, 3, 4, 0, 0, 0, 0, time.UTC),
	}
	start = pick(m, bases).Add(time.Duration(m.rng.IntN(600)) * 7 * time.Minute / 10)
	if i < len(edges) {
		start = edges[i]
	}
	if m.chance(10) {
		start = start.Add(999_999 * time.Microsecond)
	}
	// Eighths of a millisecond add up without rounding.
	took := time.Duration(m.rng.IntN(60_000)) * 125 * time.Microsecond
	switch m.rng.IntN(12) {
	case 0:
		took = 0
	case 1:
		took = -took
	}
	if start.Year() == 9999 {
		took = 0
	}
	return start, start.Add(took)
}

var edges = []time.Time{
	time.Date(1, 1, 1, 0, 0, 30, 0, time.UTC), time.Date(1969, 12, 31, 23, 59, 59, 999_000, time.UTC),
	time.Date(1969, 12, 29, 0, 0, 0, 0, time.UTC), time.Unix(0, 0).UTC(),
	time.Date(1900, 2, 28, 12, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 58, 0, time.UTC),
	time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 23, 59, 59, 999_999_000, time.UTC),
}

// oddities are texts on which quoting, escaping, collation or the counting of
// characters goes wrong first.
var oddities = []string{
	"", " ", "'", `"`, `\`, `\\`, `\'`, "''", "%", "_", "a%b", "a_b", "%%", "--", ";", "$1", "?", ":x", "/*", "`",
	"'; DROP TABLE log; --", `") OR 1=1 --`, "' OR ''='", "{{x}}", "{}", "[]", "null", "NULL", "NaN", "true", "0", "-0", "1e3", "42",
	"\x00", "a\x00b", "\x00\x00", "\x01", "\x7f", "\n", "a\nb", "\t", "\r\n", "\u2028", "\u00a0",
	"😀", "👩‍👩‍👧", "🇩🇪", "e\u0301", "é", "\u0301", "İ", "ı", "ß", "ẞ", "Σ", "ς", "σ", "ﬁ", "K", "\u212a", "Ǆ", "ǅ", "Ａ", "\u1c90", "\u13a0", "Ⅷ", "日本語",
	"\ufffd", "\ufeff", "\U0010ffff", "1:a", "10:abcdefghij", "a.b", ".", "a.", ".a", "a,b", "<script>", "&amp;", "A", "a", "aA", "Aa",
}

// oddLog puts an odd text everywhere a log has a text.
func oddLog(l *reqlog.Log, odd string) {
	l.Provider, l.Engine, l.APIType, l.FunctionName = odd, odd, odd, odd
	l.ErrorType, l.ErrorMessage, l.SpanID = odd, odd, odd
	l.Tags = []string{odd, "odd"}
	quoted := quote(odd)
	l.Metadata = []reqlog.Member{
		{Key: odd, Value: quoted}, {Key: "odd", Value: quoted}, {Key: "user_id", Value: quoted},
		{Key: "nest", Value: join(`{ `, quoted, ` : [ `, quoted, `, null ] }`)},
	}
	l.Scores = append(l.Scores, reqlog.Score{Name: odd, Value: 50})
	l.Prompt, l.Variables = &reqlog.PromptLink{ID: 3, Version: 1, Referenced: []string{odd}}, join(`{`, quoted, `:`, quoted, `}`)
	l.Input = join(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":`, quoted, `}]}]}`)
	l.Output = join(`{"type":"chat","messages":[{"role":"assistant","content":[{"type":"thinking","thinking":`, quoted, `}],`,
		`"tool_calls":[{"id":"c","type":"function","function":{"name":`, quoted, `,"arguments":{`, quoted, `:`, quoted, `}}}]}]}`)
	l.Parameters = join(`{`, quoted, `: `, quoted, `}`)
}

// quote writes a text as JSON without escaping more than it must.
func quote(text string) json.RawMessage { return jsontree.AppendQuoted(nil, text) }

func join(parts ...any) json.RawMessage {
	var out []byte
	for _, part := range parts {
		out = fmt.Appendf(out, "%s", part)
	}
	return out
}
