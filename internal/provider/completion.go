package provider

import (
	"encoding/json"
	"time"
)

// Delta is a piece of an answer that is still being written.
type Delta struct {
	// Text continues the answer, Thinking the reasoning.
	Text, Thinking string
}

// Completion is the result of a call.
type Completion struct {
	// Record is the data of the request log.
	Record
	// Raw is the answer of the provider; for a stream, the equivalent answer
	// without streaming.
	Raw json.RawMessage

	// Text is the answer without reasoning.
	Text string
	// Structured is the text as JSON if the call requested JSON and the text is
	// valid JSON, else nil.
	Structured json.RawMessage
	// ToolCalls is the array of tool calls, or nil.
	ToolCalls json.RawMessage
	// FinishReason is the finish reason of the provider.
	FinishReason string

	// Start is when the first attempt began, End when the last one ended.
	Start, End time.Time
	Attempts   int
}
