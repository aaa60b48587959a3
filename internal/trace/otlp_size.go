package trace

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	// maxMessages is the maximum number of messages within a request. An empty
	// message takes two bytes of a request, and a hundred times as much memory.
	maxMessages = 1_000_000
	// smallRequest is the size of a request whose messages need not be counted.
	smallRequest = 256 << 10
)

// fewMessages reports whether a request that consists of a message has at most
// maxMessages within it.
func fewMessages(body []byte, message protoreflect.MessageDescriptor) bool {
	left := maxMessages
	if len(body) > smallRequest {
		countMessages(body, message, &left, recursionLimit)
	}
	return left >= 0
}

// countMessages subtracts the number of messages within a message from left. It
// stops at what cannot be decoded, or is too deep to be, and once left is
// negative.
func countMessages(body []byte, message protoreflect.MessageDescriptor, left *int, depth int) {
	fields := message.Fields()
	for len(body) > 0 && depth > 0 && *left >= 0 {
		number, wire, n := protowire.ConsumeTag(body)
		if n < 0 {
			return
		}
		size := protowire.ConsumeFieldValue(number, wire, body[n:])
		if size < 0 {
			return
		}
		value := body[n : n+size]
		body = body[n+size:]
		field := fields.ByNumber(number)
		if wire != protowire.BytesType || field == nil || field.Message() == nil {
			continue
		}
		*left--
		inner, _ := protowire.ConsumeBytes(value) // its size is known
		countMessages(inner, field.Message(), left, depth-1)
	}
}
