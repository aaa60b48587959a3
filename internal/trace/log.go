package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// LogOf returns the request log that the attributes of a span describe. It
// returns false if the span is no model call, or if the client logs the call
// itself.
//
// The log lacks a price unless the span has one, and its prompt must still be
// looked up; if there is none, the log is kept without a link.
func LogOf(span *reqlog.Span) (*reqlog.LogInput, bool) {
	v := newView(span, parseAttributes(span.Resource), nil)
	talk := v.conversation()
	if !v.describesLog(talk) {
		return nil, false
	}
	return v.log(talk), true
}

// describesLog reports whether the span is a model call that is to be logged.
func (v *view) describesLog(talk conversation) bool {
	if v.managed() {
		return false
	}
	known := v.verdict()
	captured := len(talk.input) > 0 || len(talk.output) > 0
	switch {
	case known == isNoCall:
		return false
	case v.own.fact(modelFact).Given():
		return true
	default:
		return captured && (known == isCall || v.own.fact(providerFact).Given())
	}
}

func (v *view) log(talk conversation) *reqlog.LogInput {
	name, apiType := v.provider()
	operation := v.operation()
	log := &reqlog.Log{
		Provider: name, Engine: scalarText(v.own.fact(modelFact)), APIType: apiType, FunctionName: functionName(name, apiType, operation),
		Input: writeChat(talk.input, talk.tools), Output: writeChat(talk.output, nil), Parameters: v.parameters(),
		Start: v.span.Start, End: v.span.End, SpanID: v.span.SpanID,
		Usage: v.usage(), Price: v.price(), Tags: v.tags(),
	}
	log.Status, log.ErrorType, log.ErrorMessage = v.outcome()
	log.Metadata = v.metadata()
	in := &reqlog.LogInput{Log: log}
	in.Prompt, in.PromptGiven = v.prompt()
	return in
}

// operation returns what was asked of the model, in the words of OpenTelemetry.
func (v *view) operation() string {
	operation := strings.ToLower(scalarText(v.own.fact(operationFact)))
	switch {
	case operation == "embedding", strings.Contains(vercelOperation(v), "doEmbed"), v.own.get(inferenceKind).Is("EMBEDDING"):
		return embeddings
	case operation == "completion":
		return "text_completion"
	case operation == "" || operation == "unknown":
		return "chat"
	default:
		return operation
	}
}

// maxTokens is the largest plausible count of a call.
const maxTokens = 1_000_000_000

// usage returns the token counts. Libraries differ in whether the totals include
// the parts; a total that is less than its parts cannot.
func (v *view) usage() provider.Usage {
	usage := provider.Usage{
		Input: v.count(inputTokens), Output: v.count(outputTokens),
		CacheRead: v.count(cacheRead), CacheWrite: v.count(cacheWrite), Reasoning: v.count(reasoningTokens),
	}
	if raw := v.agentUsage(); !usage.Known() {
		usage = raw
	} else if !usage.CacheRead.Given {
		usage.CacheRead = raw.CacheRead
	}
	if cached := usage.CacheRead.Plus(usage.CacheWrite); cached.N > usage.Input.N {
		usage.Input = usage.Input.Plus(cached)
	}
	if usage.Reasoning.N > usage.Output.N {
		usage.Output = usage.Output.Plus(usage.Reasoning)
	}
	if total := v.count(totalTokens); !usage.Output.Given && usage.Input.Given && total.N >= usage.Input.N && total.Given {
		usage.Output = provider.Tokens(total.N - usage.Input.N)
	}
	return usage
}

func (v *view) count(f fact) provider.Count {
	n, ok := wholeNumber(v.own.fact(f))
	if !ok || n < 0 || n > maxTokens {
		return provider.Count{}
	}
	return provider.Tokens(n)
}

// maxPrice is the largest price of a log.
const maxPrice = 1e15

func (v *view) price() reqlog.Price {
	usd, ok := v.own.fact(costFact).Float()
	if !ok || usd < 0 || usd > maxPrice {
		return reqlog.Price{}
	}
	return reqlog.Price{USD: usd + 0, Source: reqlog.PriceSent} // + 0 removes the sign of a negative zero
}

// positive returns a positive whole number, which may be a string of digits, 0
// for anything else.
func positive(value jsontree.Value) int64 {
	n, ok := wholeNumber(value)
	if !ok {
		return 0
	}
	return max(n, 0)
}

// notParameters are members of the invocation parameters that other parts of a
// log have.
var notParameters = map[string]bool{"model": true, "messages": true, "tools": true, "functions": true, "prompt": true, "input": true, "api_key": true}

// parameters returns the object of parameters, nil if there are none.
func (v *view) parameters() []byte {
	w := jsontree.NewWriter(nil)
	seen := map[string]bool{}
	add := func(name string, value jsontree.Value) {
		if value.Given() && !seen[name] && depth(value) <= maxInnerDepth {
			seen[name] = true
			w.Key(name).Value(value)
		}
	}
	w.Object(func() {
		for _, c := range conventions {
			for _, p := range c.parameters {
				add(p.name, v.own.get(p.attribute))
			}
		}
		for name, value := range structured(v.own.get("llm.invocation_parameters")).Members() {
			if !notParameters[name] {
				add(name, value)
			}
		}
	})
	if len(seen) == 0 {
		return nil
	}
	return w.Bytes()
}

// maxTag is the longest tag in bytes. It is less than the limit of logs, which
// is in characters.
const maxTag = 512

func (v *view) tags() (tags []string) {
	seen := map[string]bool{}
	for _, element := range v.own.get("tag.tags").Elems() {
		tag := element.Str()
		if tag != "" && len(tag) <= maxTag && !seen[tag] {
			seen[tag] = true
			tags = append(tags, tag)
		}
	}
	return tags
}

// metadata returns the metadata of a log: what the client named so, then the
// user and the session. Metadata that breaks a rule of logs is left out as a
// whole.
func (v *view) metadata() []reqlog.Member {
	w := jsontree.NewWriter(nil)
	w.Object(func() { w.Key("metadata").Object(func() { v.writeMetadata(&w) }) })
	if w.Len() == len(`{"metadata":{}}`) {
		return nil
	}
	body, err := jsontree.Parse(w.Bytes())
	if err != nil {
		return nil
	}
	var problems fault.Problems
	found := reqlog.DecodeMetadata(body, nil, &problems)
	if problems.Any() {
		return nil
	}
	return found
}

// writeMetadata writes each key once. The span takes precedence over the
// resource, and our attributes over those of other conventions.
func (v *view) writeMetadata(w *jsontree.Writer) {
	seen := map[string]bool{}
	add := func(key string, value jsontree.Value) {
		if key != "" && value.Given() && !seen[key] {
			seen[key] = true
			w.Key(key).Value(value)
		}
	}
	for _, c := range conventions {
		if c.metadata == "" {
			continue
		}
		for _, a := range []attributes{v.own, v.shared} {
			for _, attribute := range a.list {
				if key, ok := strings.CutPrefix(attribute.name, c.metadata); ok {
					add(key, a.get(attribute.name))
				}
			}
		}
	}
	for key, value := range structured(v.own.get("metadata")).Members() {
		add(key, value)
	}
	add(userKey, v.user())
	add(sessionKey, v.session())
}
