package trace

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

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
	padding := within(100, make([]byte, 1000))
	const invalid = "The request body is not a valid protobuf message"
	for name, c := range map[string]struct {
		body    []byte
		message string
	}{
		"deep":    {append(bytes.Clone(padding), deep...), "Attribute values nest too deeply"},
		"cut off": {append(bytes.Clone(padding), 0x0a, 0x7f), invalid},
		"no tag":  {append(bytes.Clone(padding), 0xff), invalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeOTLP(Protobuf, c.body)
			check.Refused(t, err, fault.BadRequest, c.message)
		})
	}
}

// reference decodes a request with the official decoder.
func reference(body []byte) (Batch, error) {
	var request tracepb.TracesData
	options := proto.UnmarshalOptions{DiscardUnknown: true, RecursionLimit: recursionLimit}
	if err := options.Unmarshal(body, &request); err != nil {
		return Batch{}, err
	}
	d := newOTLPDecoder(0)
	for _, resource := range request.GetResourceSpans() {
		d.resource(resource.GetResource(), resource.GetSchemaUrl())
		for _, scope := range resource.GetScopeSpans() {
			d.scope(scope.GetScope())
			for _, span := range scope.GetSpans() {
				d.span(span)
			}
		}
	}
	return d.batch, nil
}

// checkReference fails unless a request that the official decoder accepts is
// decoded in the same way.
func checkReference(t *testing.T, body []byte) {
	t.Helper()
	want, err := reference(body)
	if err != nil {
		return // ours does not look into what it ignores
	}
	got, err := DecodeOTLP(Protobuf, body)
	check.OK(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDecodesLikeTheOfficialDecoder sends messages that exporters do not: parts
// of a message, which are merged, unknown fields, and fields of the wrong type.
func TestDecodesLikeTheOfficialDecoder(t *testing.T) {
	t.Parallel()
	full := check.Must(proto.Marshal(&tracepb.TracesData{ResourceSpans: fullMessage()}))(t)
	values := slices.Concat(within(5, within(1, within(1, []byte("a")))), within(1, []byte("lost")), within(5, within(1, nil)), within(6, within(1, within(1, []byte("k")))))
	repeated := slices.Concat(within(5, within(1, within(1, []byte("a")))), within(5, within(1, within(1, []byte("b")))))
	wrongType := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7)
	group := protowire.AppendTag(protowire.AppendTag(nil, 77, protowire.StartGroupType), 77, protowire.EndGroupType)
	base := check.Must(proto.Marshal(minimalMessage(func(*tracepb.Span) {})))(t)
	other := check.Must(proto.Marshal(minimalMessage(func(s *tracepb.Span) { s.SpanId = otherID })))(t)
	for name, span := range map[string][]byte{
		"several values":   slices.Concat(base, within(9, slices.Concat(within(1, []byte("k")), within(2, values)))),
		"joined lists":     slices.Concat(base, within(9, within(2, repeated)), within(9, slices.Concat(within(2, within(6, nil)), within(2, within(6, within(1, nil)))))),
		"value in parts":   slices.Concat(base, within(9, slices.Concat(within(2, within(1, []byte("a"))), within(1, []byte("k")), within(2, nil)))),
		"status in parts":  slices.Concat(base, within(15, within(2, []byte("why"))), within(15, []byte{3 << 3, 2})),
		"wrong type":       slices.Concat(base, wrongType, within(6, nil), within(7, nil)),
		"unknown group":    slices.Concat(group, base, group),
		"negative kind":    slices.Concat(base, protowire.AppendVarint([]byte{6 << 3}, math.MaxUint64)),
		"empty attributes": slices.Concat(base, within(9, nil), within(9, within(2, nil)), within(11, nil), within(13, nil)),
	} {
		scope := slices.Concat(within(2, span), within(1, within(1, []byte("late"))), within(1, within(2, []byte("2"))), within(2, other))
		body := slices.Concat(within(1, slices.Concat(within(2, scope), within(3, []byte("url")), within(1, within(1, within(1, []byte("k")))))), full)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			batch := check.Must(reference(body))(t)
			check.Equal(t, "spans", len(batch.Spans), 2)
			checkReference(t, body)
		})
	}
}
