package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var minMaxSpec = Spec{
	Name: "MIN_MAX", Label: "Minimum or maximum", Group: groupNumbers, Icon: "ruler",
	Doc:     "Finds the smallest or largest number in a list.",
	Summary: "{type} of {source|sources}",
	Initial: []byte(`{"source":"$source","type":"max"}`),
	Fields: []Field{
		sourceField,
		{Name: "sources", Kind: FieldJSON, Label: "Or the values of", Optional: true},
		source1Field, source2Field,
		{Name: "type", Aliases: []string{"operation"}, Kind: FieldChoice, Label: "Find", Choices: []Choice{{"min", "smallest"}, {"max", "largest"}}},
		{Name: "json_path", Kind: FieldPattern, Label: "JSON path", Optional: true, Hint: jsonPathField.Hint},
	},
	read: readMinMax,
}

// readMinMax reads MIN_MAX: the minimum or maximum of the numbers in one or
// several values.
func readMinMax(c *settings) runner {
	names := c.sourceList()
	if len(names) == 0 {
		names = []string{c.source("source")}
	}
	wanted := 1
	if c.choice("type") == "min" {
		wanted = -1
	}
	path := c.path(false, "json_path")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		best := extreme{wanted: wanted}
		for _, name := range names {
			value, err := env.json(name)
			if err != nil {
				return value, err
			}
			if err := best.addAll(path, value); err != nil {
				return value, err
			}
		}
		if !best.any {
			return null, nil
		}
		return parsed([]byte(best.best.String()))
	}
}

// extreme finds the minimum or maximum.
type extreme struct {
	wanted int
	best   decimal
	any    bool
}

func (e *extreme) addAll(path *path, value jsontree.Value) error {
	if path == nil {
		return e.add(value, true)
	}
	found, err := path.all(value)
	for _, match := range found {
		if err == nil {
			err = e.add(match, true)
		}
	}
	return err
}

// add adds a number, or the numbers in a container. Nulls are ignored.
func (e *extreme) add(value jsontree.Value, container bool) error {
	if !value.Given() {
		return nil
	}
	if number, ok := numeric(value); ok {
		if !e.any || number.compare(e.best) == e.wanted {
			e.best, e.any = number, true
		}
		return nil
	}
	if !container || value.Kind() != jsontree.Array && value.Kind() != jsontree.Object {
		return failf("'%s' is not a number", shorten(Text(value)))
	}
	for _, element := range value.Elems() {
		if err := e.add(element, false); err != nil {
			return err
		}
	}
	for _, member := range value.Members() {
		if err := e.add(member, false); err != nil {
			return err
		}
	}
	return nil
}
