package grid_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func tree(t testing.TB, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
	return v
}

// values returns the elements of an array.
func values(t testing.TB, text string) []jsontree.Value {
	t.Helper()
	var list []jsontree.Value
	for _, v := range tree(t, text).Elems() {
		list = append(list, v)
	}
	return list
}

// columns reads columns that are written as a name, a type and a configuration.
func columns(t testing.TB, written ...[3]string) []grid.Column {
	t.Helper()
	list := make([]grid.Column, 0, len(written))
	for i, w := range written {
		list = append(list, grid.Column{ID: int64(i + 1), Name: w[0], Type: w[1], Configuration: tree(t, w[2])})
	}
	return list
}

func compile(t testing.TB, dataset []string, written ...[3]string) *grid.Grid {
	t.Helper()
	g, err := grid.Compile(dataset, columns(t, written...))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// cells parses a stored row; "" means none.
func cells(t testing.TB, text string) []grid.Cell {
	t.Helper()
	if text == "" {
		return nil
	}
	list, err := grid.ParseRow([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func wantRow(t testing.TB, want string, got []grid.Cell) {
	t.Helper()
	if diff := cmp.Diff(want, string(grid.AppendRow(nil, got))); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
}

// quiet is a began function that allows everything.
func quiet([]grid.Cell) error { return nil }

// code runs code with a function that gets its text and data.
type code func(ctx context.Context, code string, data jsontree.Value) (jsontree.Value, error)

func (c code) Run(ctx context.Context, _ step.Language, text string, data jsontree.Value) (jsontree.Value, error) {
	return c(ctx, text, data)
}

// models answers questions with a function.
type models func(ctx context.Context, text string) (string, error)

func (models) Complete(context.Context, step.Prompt) (step.Completion, error) {
	return step.Completion{}, nil
}

func (m models) Ask(ctx context.Context, q step.Question) (string, error) { return m(ctx, q.Text) }

// echo is code whose value is its data.
func echo(_ context.Context, _ string, data jsontree.Value) (jsontree.Value, error) { return data, nil }

func contains(t testing.TB, what, text, part string) {
	t.Helper()
	if part == "" || !strings.Contains(text, part) {
		t.Errorf("%s is %q, want one with %q", what, text, part)
	}
}
