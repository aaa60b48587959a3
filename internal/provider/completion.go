package provider

import (
	"encoding/json"
	"time"
)

// Delta is a piece of an answer that is still being written.
type Delta struct {
	// Text continues the answer, Thinking the reasoning that leads to it.
	Text, Thinking string
}

// Completion is the result of a call.
type Completion struct {
	// Record is what a request log holds of the call.
	Record
	// Raw is the provider's answer as it was written; of a stream, what the
	// provider would have answered without.
	Raw json.RawMessage

	// Text is what the model said, without its reasoning.
	Text string
	// Structured is the text as JSON when the call asked for JSON and the
	// model complied, nil otherwise.
	Structured json.RawMessage
	// ToolCalls is the array of tool calls, nil when there are none.
	ToolCalls json.RawMessage
	// FinishReason is the provider's word for why the answer ends.
	FinishReason string

	// Price is in US dollars. It is 0 and Priced is false when the price of the
	// model is not known.
	Price  float64
	Priced bool

	// Start is when the first attempt began, End when the last one ended.
	Start, End time.Time
	Attempts   int
}
