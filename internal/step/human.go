package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var humanSpec = Spec{
	Name: "HUMAN", Label: "Human input", Group: groupPeople, Icon: "user-round",
	Doc:     "Waits for human input in evaluations. Fails in workflow runs.",
	Summary: "",
	Form:    FormJSON,
	Initial: []byte(`{"data_type":"string","ui_element":{}}`),
	Fields: []Field{
		{Name: "data_type", Kind: FieldChoice, Label: "Type", Optional: true, Choices: words("number", "string"), Default: "string"},
		{Name: "ui_element", Kind: FieldJSON, Label: "Element", Optional: true},
		{Name: "input_type", Kind: FieldJSON, Label: "Input", Optional: true},
		{Name: "prompt", Kind: FieldJSON, Label: "Prompt", Optional: true},
		{Name: "min", Kind: FieldJSON, Label: "Minimum", Optional: true},
		{Name: "max", Kind: FieldJSON, Label: "Maximum", Optional: true},
	},
	read: readHuman,
}

// readHuman reads HUMAN: a value that a person enters. It is not available in
// workflows; in an evaluation the cell is empty until someone fills it.
func readHuman(c *settings) runner {
	c.choice("data_type")
	c.optional(jsontree.Object, "ui_element")
	c.optional(jsontree.String, "input_type")
	c.optional(jsontree.String, "prompt")
	c.number("min")
	c.number("max")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		if !env.Report {
			return jsontree.Value{}, failf("human input is not available")
		}
		return null, nil
	}
}
