package jsontree

import (
	"strconv"
	"strings"
	"testing"
)

// record is about what a request log is answered with.
type record struct {
	id          int64
	name, model string
	text        string
	body        Value
	tags        []string
	price       float64
}

func newRecord() record {
	body, err := Parse([]byte(`{"messages":[{"role":"user","content":"` + strings.Repeat("some text ", 100) + `"}]}`))
	if err != nil {
		panic(err)
	}
	return record{7, "openai", "gpt-4o-mini", strings.Repeat("What is it?\n", 40), body, []string{"a", "b"}, 0.125}
}

func BenchmarkWriter(b *testing.B) {
	r := newRecord()
	buf := make([]byte, 0, 1<<12)
	b.ReportAllocs()
	for b.Loop() {
		buf = r.write(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func (r *record) write(dst []byte) []byte {
	w := NewWriter(dst)
	w.Object(func() {
		w.Key("success").Bool(true)
		w.Key("request_id").Int(r.id)
		w.Key("provider").String(r.name)
		w.Key("engine").String(r.model)
		w.Key("call").Object(func() { w.Key("input").Value(r.body) })
		w.Key("text").String(r.text)
		w.Key("tags_array").Strings(r.tags)
		w.Key("price").Float(r.price)
		w.Key("trace_id").Null()
	})
	return w.Bytes()
}

func BenchmarkJoinedByHand(b *testing.B) {
	r := newRecord()
	buf := make([]byte, 0, 1<<12)
	b.ReportAllocs()
	for b.Loop() {
		buf = r.join(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func (r *record) join(dst []byte) []byte {
	dst = append(dst, `{"success":true,"request_id":`...)
	dst = strconv.AppendInt(dst, r.id, 10)
	dst = AppendQuoted(append(dst, `,"provider":`...), r.name)
	dst = AppendQuoted(append(dst, `,"engine":`...), r.model)
	dst = append(append(dst, `,"call":{"input":`...), r.body.Raw()...)
	dst = AppendQuoted(append(dst, `},"text":`...), r.text)
	dst = append(dst, `,"tags_array":[`...)
	for i, tag := range r.tags {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendQuoted(dst, tag)
	}
	dst = strconv.AppendFloat(append(dst, `],"price":`...), r.price, 'f', -1, 64)
	return append(dst, `,"trace_id":null}`...)
}

func TestWriterMatchesJoinedText(t *testing.T) {
	t.Parallel()
	r := newRecord()
	if got, want := string(r.write(nil)), string(r.join(nil)); got != want {
		t.Errorf("written %s, want %s", got, want)
	}
}

func BenchmarkAppendQuoted(b *testing.B) {
	text := strings.Repeat("What is it, and how does it work?\n", 60)
	buf := make([]byte, 0, 1<<12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		buf = AppendQuoted(buf[:0], text)
	}
}
