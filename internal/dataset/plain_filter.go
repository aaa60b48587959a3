package dataset

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// The bounds of a range of times that is open at one end.
const (
	firstTime = "0001-01-01T00:00:00Z"
	lastTime  = "9999-12-31T23:59:59Z"
)

// plainFilter is a member of a body that filters logs without the filter
// language. Clients made for an earlier form of the API send such members.
type plainFilter struct {
	name string
	// write writes the conditions on the value, each an element of an array of
	// filters. It returns a fault if the value has the wrong shape; everything
	// else is checked when the filters are parsed.
	write func(w *jsontree.Writer, v jsontree.Value) error
}

var plainFilters = []plainFilter{
	{"id", writeCondition(query.FieldID, query.OpIs)},
	{"prompt_id", writeCondition(query.FieldPromptID, query.OpIs)},
	{"start_time", func(w *jsontree.Writer, v jsontree.Value) error {
		writeTimes(w, func() { w.Value(v) }, func() { w.String(lastTime) })
		return nil
	}},
	{"end_time", func(w *jsontree.Writer, v jsontree.Value) error {
		writeTimes(w, func() { w.String(firstTime) }, func() { w.Value(v) })
		return nil
	}},
	{"tags", writeTags},
	{"tags_and", writeTags},
	{"tags_or", anyOf(writeTags)},
	{"metadata", writeMetadata},
	{"metadata_and", writeMetadata},
	{"metadata_or", anyOf(writeMetadata)},
	{"scores", writeScores},
	{"status", writeCondition(query.FieldStatus, query.OpIn)},
	{"prompt_templates_include", anyOf(eachPrompt(writePrompt))},
	{"prompt_templates_exclude", eachPrompt(writeNotPrompt)},
}

// plainNames are the names of the plain filters.
var plainNames = func() []string {
	names := make([]string, len(plainFilters))
	for i, one := range plainFilters {
		names[i] = one.name
	}
	return names
}()

// parsePlainFilters returns the conjunction of the plain filters of a body, nil if
// it has none. All errors are BadRequest faults that name the member.
func parsePlainFilters(body jsontree.Value) (query.Node, error) {
	var nodes []query.Node
	for _, one := range plainFilters {
		v := body.Get(one.name)
		if !v.Given() {
			continue
		}
		node, err := one.parse(v)
		if err != nil {
			return nil, fault.BadRequestf("%s: %v", one.name, err)
		}
		nodes = append(nodes, node)
	}
	return query.And(nodes...), nil
}

func (p *plainFilter) parse(v jsontree.Value) (query.Node, error) {
	w := jsontree.NewWriter(nil)
	var err error
	w.Array(func() { err = p.write(&w, v) })
	if err != nil {
		return nil, err
	}
	filters, err := jsontree.Parse(w.Bytes())
	if err != nil {
		return nil, err
	}
	return query.ParseFilter(jsontree.Value{}, filters)
}

// writeCondition returns a function that writes one condition with the value as
// its operand.
func writeCondition(field query.Field, op query.Op) func(*jsontree.Writer, jsontree.Value) error {
	return func(w *jsontree.Writer, v jsontree.Value) error {
		writeFilter(w, field, op, "", func() { w.Value(v) })
		return nil
	}
}

func writeFilter(w *jsontree.Writer, field query.Field, op query.Op, key string, value func()) {
	w.Object(func() {
		w.Key("field").String(string(field))
		w.Key("operator").String(string(op))
		if key != "" {
			w.Key("nested_key").String(key)
		}
		w.Key("value")
		value()
	})
}

// anyOf returns a function that writes the conditions of another one as a group,
// one of which must hold.
func anyOf(write func(*jsontree.Writer, jsontree.Value) error) func(*jsontree.Writer, jsontree.Value) error {
	return func(w *jsontree.Writer, v jsontree.Value) (err error) {
		writeGroup(w, "OR", func() { err = write(w, v) })
		return err
	}
}

func writeGroup(w *jsontree.Writer, logic string, filters func()) {
	w.Object(func() {
		w.Key("logic").String(logic)
		w.Key("filters")
		w.Array(filters)
	})
}

// writeTimes writes the condition that a request started in a range, both ends
// included.
func writeTimes(w *jsontree.Writer, from, to func()) {
	writeFilter(w, query.FieldStart, query.OpBetween, "", func() {
		w.Array(func() {
			from()
			to()
		})
	})
}

// writeTags writes the condition that a log has all tags.
func writeTags(w *jsontree.Writer, v jsontree.Value) error {
	if v.Kind() != jsontree.Array {
		return fault.BadRequestf("must be a list of strings")
	}
	for _, tag := range v.Elems() {
		writeFilter(w, query.FieldTags, query.OpContains, "", func() { w.Value(tag) })
	}
	return nil
}

// writeMetadata writes the condition that a log has all metadata: an object, or a
// list of objects with key and value.
func writeMetadata(w *jsontree.Writer, v jsontree.Value) error {
	write := func(key string, value jsontree.Value) {
		writeFilter(w, query.FieldMetadata, query.OpKeyEquals, key, func() { w.Value(value) })
	}
	switch v.Kind() {
	case jsontree.Object:
		for key, value := range v.Members() {
			write(key, value)
		}
	case jsontree.Array:
		for _, pair := range v.Elems() {
			if pair.Get("key").Kind() != jsontree.String || !pair.Get("value").Given() {
				return fault.BadRequestf("must be an object, or a list of objects with 'key' and 'value'")
			}
			write(pair.Get("key").Str(), pair.Get("value"))
		}
	default:
		return fault.BadRequestf("must be an object, or a list of objects with 'key' and 'value'")
	}
	return nil
}
