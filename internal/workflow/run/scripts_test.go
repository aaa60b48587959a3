package run_test

import (
	"context"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// scriptFunc runs code with a function, so that tests can return unusual
// results.
type scriptFunc func(ctx context.Context, code string) (string, error)

func (f scriptFunc) Run(ctx context.Context, _ step.Language, code string, _ jsontree.Value) (jsontree.Value, error) {
	text, err := f(ctx, code)
	if err != nil {
		return jsontree.Value{}, err
	}
	return jsontree.Parse([]byte(text))
}

func withScripts(f scriptFunc) func(*setup) {
	return func(s *setup) { s.scripts = f }
}
