package reqlog

import (
	"cmp"
	"encoding/json"
	"math"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	"github.com/promptuary/promptuary/internal/template"
)

const (
	// MaxScore is the highest score; the lowest is 0.
	MaxScore = 100
	// maxTokens and maxPrice keep sums over millions of logs within the range of
	// engines and JSON: no log may spoil the totals.
	maxTokens = 1e12
	maxPrice  = 1e15
)

// LogInput is the validated body of a logging call.
type LogInput struct {
	// Log lacks what the server adds: its id, workspace, creation time and prompt
	// link, and the index until Derive is called. Its input, output, parameters
	// and metadata are slices of the body.
	Log *Log
	// Prompt is the client's reference to a prompt; PromptGiven reports whether
	// there is one.
	Prompt      PromptRef
	PromptGiven bool
	// UserText is the last user message; Derive sets it.
	UserText string

	input, output jsontree.Value
	derived       bool // Derive was called
}

// DecodeLog reads the body of a logging call. It adds every broken rule to
// problems; if there are any, the result must not be used.
//
// The log refers to the bytes that body was parsed from and owns them from now
// on: their buffer must be neither changed nor reused.
func DecodeLog(body jsontree.Value, loc []any, problems *fault.Problems) *LogInput {
	r := shape.New(loc, problems)
	return decodeLog(&r, body, nil)
}

// DecodeSpanLog is DecodeLog for the log of a span: omitted times are those of
// the span.
func DecodeSpanLog(body jsontree.Value, loc []any, start, end Micros, problems *fault.Problems) *LogInput {
	r := shape.New(loc, problems)
	return decodeLog(&r, body, &[2]Micros{start, end})
}

// Check returns a BadRequest fault for an invalid combination of valid members.
// Call it only if there were no problems.
func (in *LogInput) Check() error {
	if in.Prompt.Version != 0 && !in.PromptGiven {
		return fault.BadRequestf("prompt_version_number needs prompt_name or prompt_id")
	}
	return nil
}

// Derive computes the index of the log. Call it when the prompt link is known.
func (in *LogInput) Derive() {
	input, output := in.trees()
	in.UserText = DeriveFrom(in.Log, input, output)
	in.derived = true
}

// EnsureIndex is Derive for a log whose index may have been computed without its
// prompt link: the index of a log without a link depends on nothing else.
func (in *LogInput) EnsureIndex() {
	if !in.derived || in.Log.Prompt != nil {
		in.Derive()
	}
}

// TruncateError shortens an error message that is longer than those of decoded logs.
func (in *LogInput) TruncateError() {
	in.Log.ErrorMessage = firstCharacters(in.Log.ErrorMessage, maxErrorMessageLength)
}

// WriteBlueprint writes the log's prompt blueprint.
func (in *LogInput) WriteBlueprint(w *jsontree.Writer, form Form) {
	input, output := in.trees()
	client := ""
	if in.Log.Prompt != nil {
		client = in.Log.Prompt.InferenceClient
	}
	writeBlueprint(w, in.Log, input, output, form, client)
}

// trees returns the trees of the log's input and output. It parses them if they
// are not parts of the body.
func (in *LogInput) trees() (input, output jsontree.Value) {
	if in.input.Kind() == jsontree.Absent {
		in.input, _ = jsontree.Parse(in.Log.Input) // invalid JSON stays absent
	}
	if in.output.Kind() == jsontree.Absent {
		in.output, _ = jsontree.Parse(in.Log.Output)
	}
	return in.input, in.output
}

// logDecoder reads the members of one logged request.
type logDecoder struct{ shape.Object }

// decodeLog reads a log; span has the times of its span, if any.
func decodeLog(r *shape.Reader, body jsontree.Value, span *[2]Micros) *LogInput {
	in := &LogInput{Log: &Log{}}
	object, ok := r.Object(body)
	if !ok {
		return in
	}
	d := logDecoder{object}
	d.request(in)
	d.times(in.Log, span)
	d.measures(in.Log)
	in.Log.Tags = d.tags()
	in.Log.Metadata = d.metadata()
	in.Log.Status, in.Log.ErrorType, in.Log.ErrorMessage = d.outcome(false)
	d.score(&in.Log.Notes)
	d.prompt(in)
	return in
}

// request reads the request and its result.
func (d logDecoder) request(in *LogInput) {
	l := in.Log
	required := d.Required()
	l.Provider = required.Text("provider", 1, math.MaxInt)
	l.Engine = required.Text("model", 1, math.MaxInt)
	in.input, in.output = d.template("input"), d.template("output")
	l.Input, l.Output = in.input.Raw(), in.output.Raw()
	l.Parameters = d.Member("parameters", jsontree.Object).Raw()
	l.APIType = d.String("api_type")
	l.FunctionName = d.String("function_name")
}

func (d logDecoder) times(l *Log, span *[2]Micros) {
	if span == nil {
		d.Need("request_start_time", "request_end_time")
		span = &[2]Micros{}
	}
	l.Start = d.instant("request_start_time", span[0])
	l.End = d.instant("request_end_time", span[1])
}

func (d logDecoder) measures(l *Log) {
	l.Usage = d.usage(l.Provider)
	if price := d.Float("price", 0, maxPrice); price != nil {
		l.Price = Price{USD: math.Abs(*price), Source: PriceSent} // removes the sign of a negative zero
	}
}

// usage reads the token counts. Those of a usage object, in the format of the
// provider, take precedence over the totals, which some clients always send.
func (d logDecoder) usage(name string) provider.Usage {
	d.Member("usage", jsontree.Object)
	parameters := d.Value.Get("parameters")
	usage := builtin.Providers.UsageOf(name, d.Value).Or(builtin.Providers.UsageOf(name, parameters))
	usage = usage.Or(provider.Usage{Input: d.count("input_tokens"), Output: d.count("output_tokens")})
	if cached := usage.CacheRead.Plus(usage.CacheWrite); cached.N > usage.Input.N {
		usage.Input = usage.Input.Plus(cached) // the total cannot include it
	}
	usage.Batch = usage.Batch || provider.BatchTier(provider.Field(parameters, "service_tier"))
	return usage
}

func (d logDecoder) count(key string) provider.Count {
	if n := d.Int(key, 0, maxTokens, 0); d.Given(key) {
		return provider.Tokens(n)
	}
	return provider.Count{}
}

// template returns a required template after checking it.
func (d logDecoder) template(key string) jsontree.Value {
	v := d.Value.Get(key)
	template.CheckMember(d.Reader, key, v, template.Lenient)
	return v
}

func (d logDecoder) instant(key string, otherwise Micros) Micros {
	v := d.Value.Get(key)
	if !v.Given() {
		return otherwise
	}
	at, err := ParseInstant(v)
	if err != nil {
		d.ReportAt(key, fault.Rulef("value_error", "%v", err))
	}
	return at
}

// score reads one score. Clients without a score send 0 without a name, which
// is ignored.
func (d logDecoder) score(notes *Notes) {
	value := d.Int("score", 0, MaxScore, 0)
	name := d.String("score_name")
	if value == 0 && name == "" {
		return
	}
	score := Score{Name: cmp.Or(name, DefaultScore), Value: value}
	notes.Scores = []Score{score}
	if score.Name == DefaultScore {
		notes.Score = value
	}
}

func (d logDecoder) prompt(in *LogInput) {
	in.Prompt = PromptRef{
		Name:    d.String("prompt_name"),
		ID:      d.Int("prompt_id", 1, math.MaxInt64, 0),
		Version: d.Int("prompt_version_number", 1, math.MaxInt64, 0),
	}
	in.PromptGiven = in.Prompt.Name != "" || in.Prompt.ID != 0
	in.Log.Variables = VariablesOf(d.Member("prompt_input_variables", jsontree.Object))
}

// VariablesOf returns an object of input variables as it was written, nil if it
// is absent or empty, as many clients send it.
func VariablesOf(object jsontree.Value) json.RawMessage {
	if object.Len() == 0 {
		return nil
	}
	return object.Raw()
}
