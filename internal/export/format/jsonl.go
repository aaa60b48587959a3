package format

import (
	"bytes"
	"io"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// flushSize is the size of the texts that are written at once.
const flushSize = 64 << 10

// jsonl writes each row as a JSON object on its own line. Each column is a member,
// null without a value.
type jsonl struct {
	to      io.Writer
	columns []Column
	buffer  []byte
	scratch []byte
}

func newJSONL(to io.Writer, columns []Column) *jsonl { return &jsonl{to: to, columns: columns} }

func (w *jsonl) write(row []Value) error {
	line := jsontree.NewWriter(w.buffer)
	line.Object(func() {
		for i := range w.columns {
			w.member(line.Key(w.columns[i].Name), w.columns[i].Type, &row[i])
		}
	})
	w.buffer = append(line.Bytes(), '\n')
	if len(w.buffer) < flushSize {
		return nil
	}
	return w.flush()
}

func (w *jsonl) member(line *jsontree.Writer, t Type, v *Value) {
	switch {
	case !v.given:
		line.Null()
	case t == Int:
		line.Int(v.number)
	case t == Float:
		line.Float(v.float)
	case t == Bool:
		line.Bool(v.number != 0)
	case t == Time:
		w.scratch = appendTime(w.scratch[:0], v.number)
		line.String(string(w.scratch))
	case t == JSON, t == Any:
		w.scratch = appendOneLine(w.scratch[:0], v.text)
		line.Raw(w.scratch)
	default:
		line.String(v.text)
	}
}

// appendOneLine appends JSON without line breaks. Strings in JSON have none, so all
// of them are white space.
func appendOneLine(dst []byte, text string) []byte {
	start := len(dst)
	dst = append(dst, text...)
	for _, lineBreak := range []byte("\r\n") {
		for rest := dst[start:]; ; {
			at := bytes.IndexByte(rest, lineBreak)
			if at < 0 {
				break
			}
			rest[at] = ' '
			rest = rest[at+1:]
		}
	}
	return dst
}

func (w *jsonl) flush() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	if cap(w.buffer) > keptBuffer {
		w.buffer = nil
	}
	if cap(w.scratch) > keptBuffer {
		w.scratch = nil
	}
	return err
}

// keptBuffer is the largest buffer that is kept for later rows.
const keptBuffer = 4 << 20

func (w *jsonl) close() error { return w.flush() }
