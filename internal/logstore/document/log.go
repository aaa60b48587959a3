package document

import (
	"errors"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// ErrMalformed says that a document is not what a store has written.
var ErrMalformed = errors.New("malformed record")

// EncodeLog returns the document of everything small in a log: all but its id,
// workspace, input, output, parameters and index. It is written and read by hand:
// every log comes through here, and encoding/json takes several times as long.
func EncodeLog(l *reqlog.Log) ([]byte, error) {
	notes, err := EncodeNotes(&l.Notes)
	if err != nil {
		return nil, err
	}
	w := jsontree.NewWriter(make([]byte, 0, headSize+len(l.ErrorMessage)+len(notes)))
	w.Object(func() {
		w.Key("created_at").Int(int64(l.CreatedAt))
		w.Key("provider").String(l.Provider)
		w.Key("engine").String(l.Engine)
		writeText(&w, "api_type", l.APIType)
		writeText(&w, "function_name", l.FunctionName)
		w.Key("start").Int(int64(l.Start))
		w.Key("end").Int(int64(l.End))
		w.Key("usage").Object(func() { writeUsage(&w, &l.Usage) })
		if l.Price.Known() {
			w.Key("price").Float(l.Price.USD)
		}
		writeText(&w, "price_source", sourceOf(l))
		w.Key("status").String(l.Status)
		writeText(&w, "error_type", l.ErrorType)
		writeText(&w, "error_message", l.ErrorMessage)
		writeText(&w, "source", string(l.Source))
		if l.KeyID != 0 {
			w.Key("key_id").Int(l.KeyID)
		}
		if len(l.Tags) > 0 {
			w.Key("tags").Strings(l.Tags)
		}
		writeText(&w, "span_id", l.SpanID)
		if l.TextsDeleted {
			w.Key("texts_deleted").Bool(true)
		}
		w.Key("notes").Raw(notes)
	})
	return w.Bytes(), nil
}

// headSize is about the size of the document of a log without notes.
const headSize = 512

// writeText writes a member, unless it is empty.
func writeText(w *jsontree.Writer, key, text string) {
	if text != "" {
		w.Key(key).String(text)
	}
}

// DecodeLog undoes EncodeLog.
func DecodeLog(encoded []byte) (*reqlog.Log, error) {
	d, tree := newDecoder(encoded)
	l := &reqlog.Log{}
	var u storedUsage
	var p storedPrice
	for v := range d.members(tree) {
		switch v.KeyView() {
		case "created_at":
			l.CreatedAt = reqlog.Micros(d.int(v))
		case "provider":
			l.Provider = d.text(v)
		case "engine":
			l.Engine = d.text(v)
		case "api_type":
			l.APIType = d.text(v)
		case "function_name":
			l.FunctionName = d.text(v)
		case "start":
			l.Start = reqlog.Micros(d.int(v))
		case "end":
			l.End = reqlog.Micros(d.int(v))
		case "status":
			l.Status = d.text(v)
		case "error_type":
			l.ErrorType = d.text(v)
		case "error_message":
			l.ErrorMessage = d.text(v)
		case "source":
			l.Source = reqlog.Source(d.text(v))
		case "key_id":
			l.KeyID = d.int(v)
		case "tags":
			l.Tags = d.texts(v)
		case "span_id":
			l.SpanID = d.text(v)
		case "texts_deleted":
			l.TextsDeleted = d.bool(v)
		case "notes":
			l.Notes = d.notes(v)
		default:
			p.decode(d, v)
			u.decode(d, v)
		}
	}
	l.Usage, l.Price = u.value(), p.value()
	return l, d.err
}
