package trace

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// within returns a message as a field of another one.
func within(field protowire.Number, inner []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, field, protowire.BytesType), inner)
}

// TestEmptyMessages sends empty messages of each kind, of which a small body
// can have millions.
func TestEmptyMessages(t *testing.T) {
	t.Parallel()
	const resourceSpans, scopeSpans, spans, attributes = 1, 2, 2, 9
	for name, wrap := range map[string]func(empty []byte) []byte{
		"resources":  func(empty []byte) []byte { return empty },
		"scopes":     func(empty []byte) []byte { return within(resourceSpans, empty) },
		"spans":      func(empty []byte) []byte { return within(resourceSpans, within(scopeSpans, empty)) },
		"attributes": func(empty []byte) []byte { return within(resourceSpans, within(scopeSpans, within(spans, empty))) },
	} {
		field := map[string]protowire.Number{"resources": resourceSpans, "scopes": scopeSpans, "spans": spans, "attributes": attributes}[name]
		many := bytes.Repeat(within(field, nil), maxMessages+1)
		_, err := DecodeOTLP(Protobuf, wrap(many))
		check.Fault(t, err, fault.TooLarge)
		_, err = DecodeOTLP(Protobuf, wrap(many[:len(many)/10]))
		check.OK(t, err)
	}
}

func TestUndecodableMessages(t *testing.T) {
	t.Parallel()
	deep := []byte{}
	for range 5000 {
		deep = within(5, within(1, deep)) // values in lists
	}
	deep = within(1, within(2, within(2, within(9, within(2, deep)))))
	padding := within(100, make([]byte, smallRequest))
	for name, body := range map[string][]byte{
		"deep": append(padding, deep...), "cut off": append(bytes.Clone(padding), 0x0a, 0x7f), "no tag": append(bytes.Clone(padding), 0xff),
	} {
		if _, err := DecodeOTLP(Protobuf, body); !fault.Is(err, fault.BadRequest) {
			t.Errorf("%s: got %v, want BadRequest", name, err)
		}
	}
}
