package source

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Field is what a column of a table can be.
type Field struct {
	Name string
	// Doc says what it is.
	Doc string
	// names are names of columns, in lower case without separators, that are
	// recognised.
	names []string
	// member is the member of the body, "" if the field is a part of another.
	member string
	// set sets the member to the text of a cell. The error says what is wrong.
	set func(b *body, text string) error
}

// metadataPrefix begins the names of fields that are one key of the metadata.
const metadataPrefix = "metadata."

// Names of fields that are read together with others.
const (
	fieldID         = "id"
	fieldModel      = "model"
	fieldInput      = "input"
	fieldOutput     = "output"
	fieldParameters = "parameters"
	fieldMetadata   = "metadata"
	fieldStart      = "request_start_time"
	fieldEnd        = "request_end_time"
	fieldLatency    = "latency_ms"
)

// fields are all fields, in the order of the documentation.
var fields = []Field{
	{Name: "provider", Doc: "The provider. Without it, that of a well-known model.", names: []string{"provider", "providertype"}, member: "provider", set: setText("provider")},
	{Name: fieldModel, Doc: "The model.", names: []string{"model", "engine", "modelname"}, member: "model", set: setText("model")},
	{
		Name: fieldInput, Doc: "The input: a text, messages as JSON, or a template.",
		names: []string{"input", "prompt", "request", "messages", "question"}, member: "input", set: setText("input"),
	},
	{
		Name: fieldOutput, Doc: "The output: a text, a message as JSON, or a template.",
		names: []string{"output", "response", "completion", "answer", "requestresponse"}, member: "output", set: setText("output"),
	},
	{
		Name: fieldStart, Doc: "When the request began: ISO 8601, in UTC unless it says otherwise, or a Unix time.",
		names: []string{"requeststarttime", "starttime", "startedat", "timestamp", "createdat", "date", "time", "start"}, member: fieldStart, set: setText(fieldStart),
	},
	{Name: fieldEnd, Doc: "When it ended.", names: []string{"requestendtime", "endtime", "endedat", "end"}, member: fieldEnd, set: setText(fieldEnd)},
	{Name: fieldLatency, Doc: "How many milliseconds it took, instead of the end.", names: []string{"latencyms", "durationms"}, set: setNothing},
	{Name: "input_tokens", Doc: "The number of input tokens.", names: []string{"inputtokens", "prompttokens"}, member: "input_tokens", set: setNumber("input_tokens")},
	{Name: "output_tokens", Doc: "The number of output tokens.", names: []string{"outputtokens", "completiontokens"}, member: "output_tokens", set: setNumber("output_tokens")},
	{Name: "price", Doc: "The cost in US dollars.", names: []string{"price", "cost", "totalcost", "costusd"}, member: "price", set: setPrice},
	{Name: "tags", Doc: "The tags: a JSON list, or texts with commas between them.", names: []string{"tags", "tagsarray"}, member: "tags", set: setTags},
	{Name: fieldMetadata, Doc: "The metadata: a JSON object.", names: []string{"metadata"}, set: setMetadata},
	{Name: fieldParameters, Doc: "The parameters of the model: a JSON object.", names: []string{"parameters", "modelparameters"}, member: "parameters", set: setObject("parameters")},
	{Name: "status", Doc: "SUCCESS, WARNING or ERROR.", names: []string{"status"}, member: "status", set: setStatus},
	{Name: "error_type", Doc: "The type of the error.", names: []string{"errortype"}, member: "error_type", set: setText("error_type")},
	{Name: "error_message", Doc: "The message of the error.", names: []string{"errormessage", "error"}, member: "error_message", set: setErrorMessage},
	{Name: "prompt_name", Doc: "The name of the prompt.", names: []string{"promptname", "prompttemplate", "prompttemplatename"}, member: "prompt_name", set: setText("prompt_name")},
	{
		Name: "prompt_version_number", Doc: "The version of the prompt.",
		names: []string{"promptversionnumber", "promptversion", "prompttemplateversion"}, member: "prompt_version_number", set: setNumber("prompt_version_number"),
	},
	{
		Name: "prompt_input_variables", Doc: "The input variables: a JSON object.",
		names: []string{"promptinputvariables", "inputvariables", "variables"}, member: "prompt_input_variables", set: setObject("prompt_input_variables"),
	},
	{Name: "score", Doc: "A score from 0 to 100.", names: []string{"score"}, member: "score", set: setNumber("score")},
	{Name: "function_name", Doc: "The function that was called.", names: []string{"functionname"}, member: "function_name", set: setText("function_name")},
	{Name: "api_type", Doc: "The API of the provider.", names: []string{"apitype"}, member: "api_type", set: setText("api_type")},
	{Name: "span_id", Doc: "The id of the span.", names: []string{"spanid"}, member: "span_id", set: setText("span_id")},
	{Name: fieldID, Doc: "The id in the other system.", names: []string{"id", "requestid", "plid", "requestlogid"}, set: setNothing},
}

// Fields returns the fields that columns can be mapped to.
func Fields() []Field { return slices.Clone(fields) }

// FieldNames returns the names of the fields.
func FieldNames() []string {
	names := make([]string, 0, len(fields)+1)
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return append(names, metadataPrefix+"KEY")
}

// fieldNamed returns the field of a name, the zero Field if there is none.
func fieldNamed(name string) Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return Field{}
}

func isField(name string) bool {
	key, isKey := strings.CutPrefix(name, metadataPrefix)
	return isKey && key != "" || fieldNamed(name).Name != ""
}

// wordOf returns the name of a column in lower case without separators.
func wordOf(column string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-./()", r) {
			return -1
		}
		return r
	}, strings.ToLower(column))
}

func setNothing(*body, string) error { return nil }

func setText(member string) func(*body, string) error {
	return func(b *body, text string) error {
		b.text(member, text)
		return nil
	}
}

func setErrorMessage(b *body, text string) error {
	b.errorMessage(text)
	return nil
}

// setNumber writes a number. A text that is none is left to the checks.
func setNumber(member string) func(*body, string) error {
	return func(b *body, text string) error {
		b.raw(member, numberIn(text))
		return nil
	}
}

func setPrice(b *body, text string) error {
	return setNumber("price")(b, strings.TrimPrefix(strings.TrimSpace(text), "$"))
}

func setObject(member string) func(*body, string) error {
	return func(b *body, text string) error {
		object, err := objectIn(text)
		b.value(member, object)
		return err
	}
}

func setMetadata(b *body, text string) error {
	object, err := objectIn(text)
	b.addMetadataOf(object)
	return err
}

func objectIn(text string) (jsontree.Value, error) {
	v, err := jsontree.Parse([]byte(text))
	if err != nil || v.Kind() != jsontree.Object {
		return jsontree.Value{}, &refusedError{"Input should be a JSON object"}
	}
	return v, nil
}

func setTags(b *body, text string) error {
	if v, err := jsontree.Parse([]byte(text)); err == nil && v.Kind() == jsontree.Array {
		b.value("tags", v)
		return nil
	}
	w := jsontree.NewWriter(nil)
	w.Array(func() {
		for tag := range strings.SplitSeq(text, ",") {
			if tag = strings.TrimSpace(tag); tag != "" {
				w.String(tag)
			}
		}
	})
	b.raw("tags", w.Bytes())
	return nil
}

// setStatus writes the outcome. Other systems have other words for it.
func setStatus(b *body, text string) error {
	word := strings.ToUpper(strings.TrimSpace(text))
	code, err := strconv.Atoi(word)
	switch {
	case word == "OK" || word == "SUCCEEDED" || word == "COMPLETED" || err == nil && code >= 200 && code < 300:
		word = reqlog.StatusSuccess
	case word == "FAILED" || word == "FAILURE" || err == nil && code >= 400:
		word = reqlog.StatusError
	}
	b.text("status", word)
	return nil
}
