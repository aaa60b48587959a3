package template

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/render"
)

// Rendered is a template with its variables filled in.
type Rendered struct {
	Template []byte
	// Missing names the variables without a value, each once.
	Missing []string
	// Spots tells in which messages they were missed.
	Spots []Spot
}

// Spot is a message that misses a variable. A completion is message 0.
type Spot struct {
	Message int
	Name    string
}

// maxRendered bounds what the values may add to one template: a template can
// name a large value many times.
const maxRendered = 64 << 20

// Render fills values into a template: into its texts, into the items that are
// repeated for a list of pictures or files, and into its tools. Variables
// without a value do not fail: texts have nothing in their place, and items
// and tools that consist of one are left out. Placeholder messages stay, see
// InjectPlaceholders.
func Render(template jsontree.Value, values *render.Values, budget *render.Budget) (Rendered, error) {
	r := renderer{editor: editor{base: template}, values: values, budget: budget}
	for i, holder := range holders(template) {
		r.holder(i, holder)
	}
	if KindOf(template) == Chat {
		r.tools(template)
	}
	text, err := r.result()
	return Rendered{Template: text, Missing: r.missing.list, Spots: r.spots}, err
}

// RenderJSON fills values into a JSON value that belongs to a template, such as
// the response format of its model: into the objects that stand for a variable
// and, in Jinja2, into its strings. It returns the variables without a value.
func RenderJSON(value jsontree.Value, format render.Format, values *render.Values, budget *render.Budget) (text []byte, missing []string, err error) {
	r := renderer{editor: editor{base: value}, values: values, budget: budget}
	r.enter(noMessage, format)
	r.json(value)
	text, err = r.result()
	return text, r.missing.list, err
}

// renderer is the work of Render on one template. The first error sticks, and
// makes the rest of the work do nothing.
type renderer struct {
	editor
	values *render.Values
	budget *render.Budget
	err    error

	// message is the index of the message at hand, or noMessage.
	message   int
	format    render.Format
	forgiving bool // texts that cannot be rendered stay as they are
	missing   names
	missed    names // in the message at hand
	spots     []Spot
	// nested is set when values were put into values of the template.
	nested bool
}

const noMessage = -1

func (r *renderer) enter(message int, format render.Format) {
	r.message, r.format, r.forgiving, r.missed = message, format, false, names{}
}

// result returns the whole text. Deep values within deep values may have grown
// deeper than anybody reads.
func (r *renderer) result() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	text := r.bytes()
	if r.nested {
		if _, err := jsontree.Parse(text); err != nil {
			return nil, r.invalid(err.Error())
		}
	}
	return text, nil
}

// holder renders a message or a completion. What tools and functions answered
// is no template of the author's, so it cannot fail.
func (r *renderer) holder(index int, holder jsontree.Value) {
	r.enter(index, holderFormat(holder))
	role := holder.Get("role")
	r.forgiving = role.Is("tool") || role.Is("function")
	content := holder.Get("content")
	for _, item := range content.Elems() {
		if _, ok := listVariable(item); ok {
			r.splice(content, r.writeList, r.item)
			return
		}
	}
	for _, item := range content.Elems() {
		r.item(item)
	}
}

func (r *renderer) item(item jsontree.Value) {
	if text, ok := itemText(item); ok && !r.plain(text.Raw()) {
		r.string(text)
	}
}

// plain reports whether a quoted text surely stays as it is.
func (r *renderer) plain(raw []byte) bool {
	return !mayHoldBraces(raw) && (r.format == render.Jinja2 || bytes.IndexByte(raw, '}') < 0)
}

// mayHoldBraces is a quick look at a quoted text: false is certain.
func mayHoldBraces(raw []byte) bool {
	return bytes.IndexByte(raw, '{') >= 0 || bytes.Contains(raw, []byte(`\u007`))
}

// string renders one string of the template.
func (r *renderer) string(v jsontree.Value) {
	if r.err != nil {
		return
	}
	source := v.Str()
	result, err := render.Text(r.format, source, r.values, r.budget)
	if err != nil {
		r.fail(err)
		return
	}
	for _, name := range result.Undefined {
		r.miss(name)
	}
	if result.Text != source {
		r.replaceString(v, result.Text)
		r.hasRoom()
	}
}

// miss records a variable without a value.
func (r *renderer) miss(name string) {
	r.missing.add(name)
	if r.message != noMessage && !r.missed.has(name) {
		r.missed.add(name)
		r.spots = append(r.spots, Spot{Message: r.message, Name: name})
	}
}

// fail records why a text could not be rendered: it ran into a limit, or nobody
// waits for it any more.
func (r *renderer) fail(err error) {
	var limit *fault.Error
	switch {
	case !errors.As(err, &limit):
		r.err = err
	case !r.forgiving:
		r.err = r.invalid(limit.Message)
	}
}

// hasRoom reports whether there is room for more.
func (r *renderer) hasRoom() bool {
	if r.err == nil && len(r.text) > maxRendered {
		r.err = r.invalid(fmt.Sprintf("the values add more than %d MiB", maxRendered>>20))
	}
	return r.err == nil
}

// invalid names the message in which the values do not fit.
func (r *renderer) invalid(why string) error {
	message := why
	if r.message != noMessage {
		message = fmt.Sprintf("message %d: %s", r.message, why)
	}
	return &fault.Error{Kind: fault.Invalid, Message: message, Fields: []fault.Field{
		{Loc: []any{"body", "input_variables"}, Msg: message, Type: "value_error"},
	}}
}

// Warning says which variables had no value and where they were missed, "" when
// all were there.
func Warning(r Rendered) string {
	if len(r.Missing) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Some input variables are missing: (`")
	b.WriteString(strings.Join(r.Missing, "`, `"))
	b.WriteString("`)")
	for _, spot := range r.Spots {
		fmt.Fprintf(&b, "\nUndefined variable in message index %d: '%s' is undefined", spot.Message, spot.Name)
	}
	return b.String()
}
