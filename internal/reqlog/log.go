// Package reqlog says what request logs and spans are: how they are read from
// clients, what is derived from them, how they change, and the contract of a store
// that writes them.
package reqlog

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/provider"
)

// Micros is an instant, in microseconds since the Unix epoch.
type Micros int64

// At returns the instant of t.
func At(t time.Time) Micros { return Micros(t.UnixMicro()) }

// Time returns the instant as a UTC time.
func (m Micros) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

// The values of Log.Status.
const (
	StatusSuccess = "SUCCESS"
	StatusWarning = "WARNING"
	StatusError   = "ERROR"
)

// Log is one request to a language model. Omitted strings are "".
type Log struct {
	// ID is unique across all workspaces and increases with the time of writing.
	ID        int64
	Workspace int64
	CreatedAt Micros

	Provider     string
	Engine       string
	APIType      string
	FunctionName string

	// Input and Output are chat or completion templates, Parameters an object; all
	// three exactly as the client sent them.
	Input      json.RawMessage
	Output     json.RawMessage
	Parameters json.RawMessage

	Start Micros
	End   Micros

	Usage provider.Usage
	Price Price

	Status       string
	ErrorType    string
	ErrorMessage string

	// Source is where the log came from, "" for a log from before sources were
	// recorded; see Origin.
	Source Source
	// KeyID is the id of the API key that the log was made with, 0 for none.
	KeyID int64

	// Tags are distinct, in the order of first occurrence.
	Tags   []string
	SpanID string
	// TraceID is the trace of the span, "" if no such span is stored. Reads set it;
	// it is not written with the log. If several traces have the span, it is the
	// lowest id.
	TraceID string

	// TextsDeleted says that what was said was deleted; see DropTexts.
	TextsDeleted bool

	Notes
	// Index is used by filters, free text and analytics. Derive computes it from
	// the rest, and it is stored with the log.
	Index Index
}

// LatencyMS returns the duration of the request in milliseconds, never
// negative.
func (l *Log) LatencyMS() float64 { return max(0, float64(l.End-l.Start)/1000) }

// Notes is the part of a log that can change after it was written.
type Notes struct {
	// Metadata has the members in the order of their first occurrence.
	Metadata []Member
	// Scores are distinct by name, in the order of their first occurrence.
	Scores []Score
	// Score is the value of the score named "default", 0 if there is none.
	Score int64
	// Prompt is nil if the log is not linked to a template.
	Prompt *PromptLink
	// Variables is the object of input variables as the client sent it, nil if
	// there are none. Logs without a template can have variables, too.
	Variables json.RawMessage
	// GroupID is 0 if the log is in no group.
	GroupID int64
}

// Member is one key of an object with the JSON text of its value.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Score is one named score of a request, 0 to 100.
type Score struct {
	Name  string `json:"name"`
	Value int64  `json:"score"`
}

// PromptLink identifies the version of the prompt template that a request was
// made from.
type PromptLink struct {
	ID      int64
	Version int64
	// Referenced are the variables that the template version uses; only these are
	// searchable.
	Referenced []string
	// InferenceClient is the name of the inference client that the version sets,
	// "" for none. It is not stored with the log.
	InferenceClient string
}

// Ref returns the version in the form id:version.
func (p *PromptLink) Ref() string {
	return strconv.FormatInt(p.ID, 10) + ":" + strconv.FormatInt(p.Version, 10)
}

// Index has what is derived from a log when it is written.
type Index struct {
	InputText    string
	OutputText   string
	ThinkingText string

	// IsJSON and IsToolCall are never both true; neither means plain text.
	IsJSON     bool
	IsToolCall bool

	ToolNames     []string
	ToolCallCount int64
	TurnCount     int64
	UserIntent    []string
	AgentIntent   []string

	// Output, Metadata and Variables are flattened: nested keys joined by dots,
	// array indexes dropped, so a key can occur more than once.
	Output    []Pair
	Metadata  []Pair
	Variables []Pair
}

// Pair is one flattened key with the text of its value.
type Pair struct {
	Key   string
	Value string
	// Empty marks a key without a value: null, {} or [].
	Empty bool
}

// Keys returns the distinct keys of the pairs in the order of first occurrence.
func Keys(pairs []Pair) []string {
	if len(pairs) == 0 {
		return nil
	}
	seen := make(map[string]struct{}, len(pairs))
	keys := make([]string, 0, len(pairs))
	for _, p := range pairs {
		if _, ok := seen[p.Key]; !ok {
			seen[p.Key] = struct{}{}
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// BodySize returns the size of the input, output and parameters in bytes.
func (l *Log) BodySize() int64 { return int64(len(l.Input) + len(l.Output) + len(l.Parameters)) }
