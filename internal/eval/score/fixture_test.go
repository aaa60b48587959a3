package score_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
)

func TestMain(m *testing.M) {
	if script.IsWorker() {
		script.WorkerMain()
	}
	os.Exit(m.Run())
}

func tree(t testing.TB, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return v
}

// cells parses a stored row.
func cells(t testing.TB, text string) []grid.Cell {
	t.Helper()
	row, err := grid.ParseRow([]byte(text))
	if err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return row
}

// columns parses names; those with a star are scored.
func columns(names ...string) []score.Column {
	var list []score.Column
	for _, name := range names {
		if name[0] == '*' {
			list = append(list, score.Column{Name: name[1:], Scored: true})
		} else {
			list = append(list, score.Column{Name: name})
		}
	}
	return list
}

// javaScript runs code as the program does.
func javaScript(t *testing.T) score.Run {
	runner := script.New(script.Options{Concurrency: 1})
	t.Cleanup(runner.Close)
	return func(ctx context.Context, language step.Language, code string, data jsontree.Value) (jsontree.Value, error) {
		result, err := runner.Run(ctx, script.Program{Language: script.Language(language), Code: code, Data: data.Raw()})
		var failure *script.Error
		if errors.As(err, &failure) {
			return jsontree.Value{}, &step.FailureError{Message: failure.Message, Detail: failure.Trace}
		}
		if err != nil {
			return jsontree.Value{}, err
		}
		return jsontree.Parse(result.Value)
	}
}

// returns is code that returns a fixed value.
func returns(t *testing.T, text string) score.Run {
	value := tree(t, text)
	return func(context.Context, step.Language, string, jsontree.Value) (jsontree.Value, error) {
		return value, nil
	}
}
