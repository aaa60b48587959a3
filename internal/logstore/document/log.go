package document

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// ErrMalformed says that a document is not what a store has written.
var ErrMalformed = errors.New("malformed record")

// head is the small part of a log as it is kept.
type head struct {
	CreatedAt     reqlog.Micros   `json:"created_at"`
	Provider      string          `json:"provider"`
	Engine        string          `json:"engine"`
	APIType       string          `json:"api_type,omitempty"`
	FunctionName  string          `json:"function_name,omitempty"`
	Start         reqlog.Micros   `json:"start"`
	End           reqlog.Micros   `json:"end"`
	Usage         *usage          `json:"usage,omitempty"`
	Price         *float64        `json:"price,omitempty"`
	PriceSource   string          `json:"price_source,omitempty"`   // none for one that was sent
	PriceComputed bool            `json:"price_computed,omitempty"` // before there were sources
	Status        string          `json:"status"`
	ErrorType     string          `json:"error_type,omitempty"`
	ErrorMessage  string          `json:"error_message,omitempty"`
	Source        string          `json:"source,omitempty"` // none before there were sources
	KeyID         int64           `json:"key_id,omitempty"`
	Tags          []string        `json:"tags,omitempty"`
	SpanID        string          `json:"span_id,omitempty"`
	TextsDeleted  bool            `json:"texts_deleted,omitempty"`
	Notes         json.RawMessage `json:"notes,omitempty"`

	oldUsage
}

// EncodeLog returns the document of everything small in a log: all but its id,
// workspace, input, output, parameters and index. It is head as JSON, which is
// written by hand: every log comes through here, and encoding/json takes several
// times as long.
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
	var h head
	if err := json.Unmarshal(encoded, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	l := &reqlog.Log{
		CreatedAt: h.CreatedAt, Provider: h.Provider, Engine: h.Engine, APIType: h.APIType, FunctionName: h.FunctionName,
		Start: h.Start, End: h.End, Usage: h.usage(), Price: h.price(),
		Status: h.Status, ErrorType: h.ErrorType, ErrorMessage: h.ErrorMessage, Source: reqlog.Source(h.Source), KeyID: h.KeyID, Tags: h.Tags, SpanID: h.SpanID, TextsDeleted: h.TextsDeleted,
	}
	var err error
	l.Notes, err = DecodeNotes(h.Notes)
	return l, err
}
