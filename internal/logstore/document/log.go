package document

import (
	"encoding/json"
	"errors"
	"fmt"

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
	Tags          []string        `json:"tags,omitempty"`
	SpanID        string          `json:"span_id,omitempty"`
	Notes         json.RawMessage `json:"notes,omitempty"`

	oldUsage
}

// EncodeLog returns the document of everything small in a log: all but its id,
// workspace, input, output, parameters and index.
func EncodeLog(l *reqlog.Log) ([]byte, error) {
	notes, err := EncodeNotes(&l.Notes)
	if err != nil {
		return nil, err
	}
	encoded, err := json.Marshal(&head{
		CreatedAt: l.CreatedAt, Provider: l.Provider, Engine: l.Engine, APIType: l.APIType, FunctionName: l.FunctionName,
		Start: l.Start, End: l.End, Usage: encodeUsage(&l.Usage),
		Price: priceOf(l), PriceSource: sourceOf(l),
		Status: l.Status, ErrorType: l.ErrorType, ErrorMessage: l.ErrorMessage, Tags: l.Tags, SpanID: l.SpanID,
	})
	if err != nil {
		return nil, fmt.Errorf("encode log %d: %w", l.ID, err)
	}
	return addMember(encoded, "notes", notes), nil
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
		Status: h.Status, ErrorType: h.ErrorType, ErrorMessage: h.ErrorMessage, Tags: h.Tags, SpanID: h.SpanID,
	}
	var err error
	l.Notes, err = DecodeNotes(h.Notes)
	return l, err
}
