package workbench

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
)

// scripts runs the code of the steps of a workspace. The code gets only its
// data: environment variables of the workspace are for its tools.
type scripts struct {
	runner    *script.Runner
	workspace int64
}

// Run implements step.Scripts.
func (s scripts) Run(ctx context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error) {
	result, err := s.runner.Run(ctx, script.Program{
		Workspace: s.workspace, Language: script.Language(language), Code: code, Data: data.Raw(),
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return jsontree.Value{}, fault.Wrap(fault.BadRequest, err, "the code timed out")
	case err != nil:
		return jsontree.Value{}, explain(err)
	}
	value, err := jsontree.Parse(result.Value)
	if err != nil {
		return value, fault.Wrap(fault.BadRequest, err, "the code returned an unsupported value")
	}
	return value, nil
}
