package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var codingAgentSpec = Spec{
	Name: "CODING_AGENT", Label: "Coding agent", Group: groupModels, Icon: "terminal",
	Doc:     "Not supported. Fails when run.",
	Summary: "",
	Form:    FormJSON,
	NotIn:   []string{InWorkflows, InEvaluations},
	Initial: []byte(`{"prompt":""}`),
	Fields:  []Field{{Name: "prompt", Kind: FieldLong, Label: "Task"}},
	read:    readCodingAgent,
}

// readCodingAgent reads CODING_AGENT, which can be stored but not run: the
// server has no workspace for files of an agent.
func readCodingAgent(c *settings) runner {
	c.text("prompt")
	return func(context.Context, *Env) (jsontree.Value, error) {
		return jsontree.Value{}, failf("CODING_AGENT is not supported")
	}
}
