package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var humanSpec = Spec{
	Name: "HUMAN", Label: "Human input", Group: groupPeople, Icon: "user-round",
	Doc:     "Asks a person for a value in evaluations. Fails in workflow runs.",
	Summary: "{prompt}",
	NotIn:   []string{InWorkflows},
	Initial: []byte(`{"wait":true,"prompt":"","input_type":"number","min":1,"max":5,"ask_comment":true}`),
	Fields: []Field{
		{
			Name: "wait", Kind: FieldFlag, Label: "Wait for an answer", Default: false,
			Hint: "Runs wait until someone has answered. Otherwise the value is null.",
		},
		{Name: "prompt", Kind: FieldLong, Label: "Question", Optional: true},
		{
			Name: "input_type", Kind: FieldChoice, Label: "Answer", Optional: true,
			Choices: []Choice{{"number", "Number"}, {"text", "Text"}, {"choice", "One of the choices"}, {"thumbs", "Thumbs up or down"}},
			Hint:    "What people who are waited for answer with. Defaults to a number or a text, as the type says.",
		},
		{Name: "data_type", Kind: FieldChoice, Label: "Type", Optional: true, Choices: words("number", "string"), Default: "string"},
		{Name: "min", Kind: FieldNumber, Label: "Minimum", Optional: true},
		{Name: "max", Kind: FieldNumber, Label: "Maximum", Optional: true},
		{Name: "choices", Kind: FieldTexts, Label: "Choices", Optional: true, Hint: "Texts of which the answer is one, each on a line."},
		{
			Name: "people", Kind: FieldTexts, Label: "People", Optional: true,
			Hint: "Email addresses of the people who may answer, each on a line. Without any, everyone who may edit evaluations can.",
		},
		{Name: "ask_comment", Kind: FieldFlag, Label: "Ask for a comment", Default: false},
		{Name: "ui_element", Kind: FieldJSON, Label: "Element", Optional: true},
	},
	read: readHuman,
}

// readHuman reads HUMAN: a value that a person enters. It is not available in
// workflows. In an evaluation the value is null, unless the column waits for an
// answer. Then callers take the value from the answer and do not run the step.
func readHuman(c *settings) runner {
	c.question = readQuestion(c)
	c.optional(jsontree.Object, "ui_element")
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		if !env.Report {
			return jsontree.Value{}, failf("human input is not available")
		}
		return null, nil
	}
}
