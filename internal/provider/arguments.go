package provider

import "github.com/promptuary/promptuary/internal/jsontree"

// Input is the input for building the arguments of a call.
type Input struct {
	// Provider is the name of the provider, such as "openai" or
	// "amazon.bedrock". Unknown providers are called like OpenAI.
	Provider string
	// Model is the name of the model. If it is empty, the arguments have none.
	Model string
	// APIType selects one of the provider's APIs, such as "responses" or
	// "images". The default is the provider's chat API.
	APIType string
	// Template is a rendered chat or completion template.
	Template jsontree.Value
	// Parameters are the stored parameters of the model, absent or an object.
	Parameters jsontree.Value
	// Overrides replace parameters for this call, absent or an object.
	Overrides jsontree.Value
	// KeepPlaceholders keeps placeholder messages, and tools that have not been
	// resolved, as they are. Otherwise they are dropped.
	KeepPlaceholders bool
}

// ModelName returns the model that the arguments will name.
func (in *Input) ModelName() string {
	for _, given := range []jsontree.Value{in.Overrides, in.Parameters} {
		if name := given.Get("model").Str(); name != "" {
			return name
		}
	}
	return in.Model
}

// IsCompletion reports whether the template is one text to be completed.
func (in *Input) IsCompletion() bool { return in.Template.Get("type").Str() == "completion" }

// Format describes the arguments of an API.
type Format struct {
	// Write writes the arguments.
	Write func(*Arguments)
	// Limit is the API's name for the maximum number of tokens to generate. If
	// it is empty, overrides of the limit keep their name.
	Limit string
	// Nested names the argument that contains parameters in an object, so that
	// overrides apply to it.
	Nested string
	// Canon maps the spellings of a parameter to one name, nil for no mapping.
	Canon func(string) string
}

// Arguments builds the arguments of a call. Those from the template come first,
// then the model, the stored parameters and the overrides; the last value of a
// key wins. Malformed parts of the template, and those that an API does not
// support, are omitted rather than rejected, because the same template may run
// on several providers.
type Arguments struct {
	*Object
	Input
	Params *Params
	// messages are the messages of the template, loaded on first use.
	messages []Message
	// names are the called functions by call ID, loaded on first use.
	names map[string]jsontree.Value
}

// build returns the arguments as a JSON object.
func (f *Format) build(in Input) []byte {
	a := &Arguments{Object: NewObject(), Input: in, Params: mergeParams(in, f)}
	f.Write(a)
	return bytesOf(a.Object, 256+len(in.Template.Raw())+len(in.Parameters.Raw())+len(in.Overrides.Raw()))
}

// Derive adds an argument derived from the template to an object, unless it is
// nil or empty or the parameters have the argument. It reports whether it added
// it.
func (a *Arguments) Derive(to *Object, name string, value JSON) bool {
	if a.Params.Has(name) {
		return false
	}
	before := to.Len()
	return to.Opt(name, value).Len() > before
}

// DeriveList adds an array derived from the template, which may be empty,
// unless the parameters have it.
func (a *Arguments) DeriveList(name string, list List) {
	if !a.Params.Has(name) {
		a.Set(name, list)
	}
}

// Finish writes the model and all parameters that were not taken.
func (a *Arguments) Finish() {
	if a.Model != "" {
		a.Derive(a.Object, "model", Text(a.Model))
	}
	a.Params.WriteTo(a.Object)
}

// Amend writes an argument that merges parameters and template: the members of
// the given object, then that of the template as name unless the object has it.
// A given value of another kind is kept as is.
func (a *Arguments) Amend(argument, name string, value JSON) {
	given := a.Params.Take(argument)
	if given.Given() && given.Kind() != jsontree.Object {
		a.Val(argument, given)
		return
	}
	amended := NewObject().Rest(given)
	if !given.Get(name).Given() {
		amended.Set(name, value)
	}
	a.Set(argument, amended)
}

// ResponseFormat takes the requested response format from the parameters. The
// definition contains the schema and its name; it is absent unless the format
// is json_schema.
func (a *Arguments) ResponseFormat() (format string, definition jsontree.Value) {
	v := a.Params.Take("response_format")
	format = v.Get("type").Str()
	if format != "json_schema" {
		return format, jsontree.Value{}
	}
	if inner := v.Get("json_schema"); inner.Kind() == jsontree.Object {
		return format, inner
	}
	return format, v
}
