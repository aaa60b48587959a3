package template

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template/render"
)

// Rendered is a template with its variables filled in.
type Rendered struct {
	Template []byte
	// Missing are the distinct names of variables without a value.
	Missing []string
	// Spots are the messages that use them.
	Spots []Spot
}

// Spot is a message with a missing variable. A completion is message 0.
type Spot struct {
	Message int
	Name    string
}

// maxRendered limits the size that values may add to a template: a template can
// use a large value many times.
const maxRendered = 64 << 20

// Render fills values into a template: into its texts, into items that are
// repeated for a list of images or files, and into its tools. Missing variables
// are not errors: they are empty in texts, and items and tools that consist of
// one are omitted. Placeholder messages stay, see InjectPlaceholders.
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

// RenderJSON fills values into a JSON value of a template, such as the response
// format of its model: it replaces objects that refer to a variable and, in
// Jinja2, renders strings. It returns the variables without a value.
func RenderJSON(value jsontree.Value, format render.Format, values *render.Values, budget *render.Budget) (text []byte, missing []string, err error) {
	r := renderer{editor: editor{base: value}, values: values, budget: budget}
	r.enter(noMessage, format)
	r.json(value)
	text, err = r.result()
	return text, r.missing.list, err
}

// renderer is the state of Render. After the first error, its methods do
// nothing.
type renderer struct {
	editor
	values *render.Values
	budget *render.Budget
	err    error

	// message is the index of the current message, or noMessage.
	message   int
	format    render.Format
	forgiving bool // texts that cannot be rendered stay unchanged
	missing   names
	missed    names // in the current message
	spots     []Spot
	// nested is set if values were inserted into values of the template.
	nested bool
}

const noMessage = -1

func (r *renderer) enter(message int, format render.Format) {
	r.message, r.format, r.forgiving, r.missed = message, format, false, names{}
}

// result returns the whole text. Nested values may exceed the depth limit of
// JSON.
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

// holder renders a message or a completion. Results of tools and functions are
// not templates, so rendering them cannot fail.
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

// plain reports whether a quoted text needs no rendering.
func (r *renderer) plain(raw []byte) bool {
	return !mayHoldBraces(raw) && (r.format == render.Jinja2 || bytes.IndexByte(raw, '}') < 0)
}

// mayHoldBraces is a quick check of a quoted text without false negatives.
func mayHoldBraces(raw []byte) bool {
	return bytes.IndexByte(raw, '{') >= 0 || bytes.Contains(raw, []byte(`\u007`))
}

// string renders a string of the template.
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

// fail records why a text could not be rendered: it exceeds a limit, or the
// context has ended.
func (r *renderer) fail(err error) {
	var limit *fault.Error
	switch {
	case !errors.As(err, &limit):
		r.err = err
	case !r.forgiving:
		r.err = r.invalid(limit.Message)
	}
}

// hasRoom reports whether the result is within the size limit.
func (r *renderer) hasRoom() bool {
	if r.err == nil && len(r.text) > maxRendered {
		r.err = r.invalid(fmt.Sprintf("the values add more than %d MiB", maxRendered>>20))
	}
	return r.err == nil
}

// invalid returns an error with the index of the message.
func (r *renderer) invalid(why string) error {
	message := why
	if r.message != noMessage {
		message = fmt.Sprintf("message %d: %s", r.message, why)
	}
	return &fault.Error{Kind: fault.Invalid, Message: message, Fields: []fault.Field{
		{Loc: fault.In("input_variables"), Msg: message, Type: "value_error"},
	}}
}

// Warning describes the missing variables and the messages that use them. It is
// empty if none are missing.
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
