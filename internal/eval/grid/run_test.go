package grid_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// env has a model that returns the question in upper case, and code that
// returns its data, panics or fails as its text says.
func env() step.Env {
	return step.Env{
		Models: models(func(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }),
		Scripts: code(func(ctx context.Context, text string, data jsontree.Value) (jsontree.Value, error) {
			switch text {
			case "panic":
				panic("a mistake")
			case "internal":
				return jsontree.Value{}, errors.New("pq: secret")
			case "fail":
				return jsontree.Value{}, &step.FailureError{Message: "it\x00failed", Detail: "trace"}
			case "late":
				return jsontree.Value{}, context.DeadlineExceeded
			case "long":
				return jsontree.Value{}, fault.BadRequestf("%s", strings.Repeat("x", 1<<20))
			}
			return echo(ctx, text, data)
		}),
	}
}

func script(name, text string) [3]string {
	return [3]string{name, "CODE_EXECUTION", `{"language":"javascript","code":"` + text + `"}`}
}

func asks(name, source string) [3]string {
	return [3]string{name, "AI_DATA_EXTRACTION", `{"source":"` + source + `","query":"?"}`}
}

func TestRunRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		columns [][3]string
		known   string
		want    string
	}{
		{"no columns", nil, "", `[]`},
		{"left to right", [][3]string{
			{"n", "COUNT", `{"source":"q","type":"chars"}`},
			{"m", "MATH_OPERATOR", `{"sources":["n"],"operator":"*","value":2}`},
			{"k", "MATH_OPERATOR", `{"sources":["n","m"],"operator":"+"}`},
		}, "", `[[5],[10],[15]]`},
		{"failed source", [][3]string{
			{"p", "PARSE_VALUE", `{"source":"q","type":"number"}`},
			{"c", "COALESCE", `{"sources":["p","q"]}`},
			{"d", "COUNT", `{"source":"c","type":"chars"}`},
			{"e", "COUNT", `{"source":"q","type":"chars"}`},
		}, "", `["'paris' is not a number","Dependency 'p' failed","Dependency 'c' failed",[5]]`},
		{"human", [][3]string{{"h", "HUMAN", `{}`}, {"c", "COALESCE", `{"sources":["h","q"]}`}}, "", `[[null],["paris"]]`},
		{"code sees the columns to the left that are completed", [][3]string{
			{"p", "PARSE_VALUE", `{"source":"q","type":"number"}`}, script("a", "echo"), script("b", "echo"),
		}, "", `["'paris' is not a number",[{"q":"paris","raw":{"k": 1.0},"short":null}],[{"q":"paris","raw":{"k": 1.0},"short":null,"a":{"q":"paris","raw":{"k": 1.0},"short":null}}]]`},
		{"values keep their bytes", [][3]string{{"v", "COALESCE", `{"sources":["raw","q"]}`}}, "", `[[{"k": 1.0}]]`},
		{"panic", [][3]string{script("a", "panic"), {"e", "VARIABLE", `{"value":1}`}}, "", `["The step failed because of an internal error",[1]]`},
		{"internal error", [][3]string{script("a", "internal")}, "", `["The step failed because of an internal error"]`},
		{"error of the code", [][3]string{script("a", "fail")}, "", `["it�failed"]`},
		{"took too long", [][3]string{script("a", "late")}, "", `["The step took too long"]`},
		{"long text", [][3]string{script("a", "long")}, "", `["` + strings.Repeat("x", 1<<10) + `…"]`},
		{"missing capability", [][3]string{{"a", "ENDPOINT", `{"url":"http://127.0.0.1"}`}}, "", `["Calling other servers is not available on this server"]`},
		{"final cells stay", [][3]string{
			{"a", "VARIABLE", `{"value":1}`}, {"b", "VARIABLE", `{"value":2}`}, {"c", "MATH_OPERATOR", `{"sources":["a"],"operator":"+","value":1}`},
			{"d", "COALESCE", `{"sources":["b","a"]}`},
		}, `[[7],"no",null,null]`, `[[7],"no",[8],"Dependency 'b' failed"]`},
		{"process lost while running", [][3]string{
			{"a", "VARIABLE", `{"value":1}`}, script("b", "echo"), asks("c", "q"), {"d", "COUNT", `{"source":"c","type":"chars"}`},
		}, `[true,[2],true,null]`, `[[1],[2],"` + grid.Interrupted + `","Dependency 'c' failed"]`},
		{"slow step of a lost process", [][3]string{{"b", "COSINE_SIMILARITY", `{"sources":["q","q"]}`}}, `[true]`, `[[1]]`},
		{"more cells than columns", [][3]string{{"a", "VARIABLE", `{"value":1}`}}, `[null,[2]]`, `[[1]]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := compile(t, []string{"q", "raw", "short"}, c.columns...)
			got, err := g.RunRow(t.Context(), env(), values(t, `["paris", {"k": 1.0}]`), cells(t, c.known), quiet)
			if err != nil {
				t.Fatal(err)
			}
			wantRow(t, c.want, got)
			if !grid.Final(got) {
				t.Error("a cell is not final")
			}
		})
	}
}

func TestSideEffectsAreAnnounced(t *testing.T) {
	t.Parallel()
	g := compile(t, []string{"q"}, asks("a", "q"), script("s", "echo"), [3]string{"n", "COUNT", `{"source":"q","type":"chars"}`}, asks("b", "a"))
	var reported []string
	asked := 0
	world := env()
	world.Models = models(func(_ context.Context, text string) (string, error) {
		if asked++; asked != len(reported) {
			t.Errorf("question %d was asked after %d announcements", asked, len(reported))
		}
		return "done", nil
	})
	got, err := g.RunRow(t.Context(), world, values(t, `["x"]`), nil, func(cells []grid.Cell) error {
		reported = append(reported, string(grid.AppendRow(nil, cells)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantRow(t, `[["done"],[{"q":"x","a":"done"}],[1],["done"]]`, got)
	want := []string{`[true,null,null,null]`, `[["done"],[{"q":"x","a":"done"}],[1],true]`}
	if !slices.Equal(reported, want) {
		t.Errorf("announced %q, want %q", reported, want)
	}
}

// TestBeganCanStopRow ends a row before a side effect and continues it later.
func TestBeganCanStopRow(t *testing.T) {
	t.Parallel()
	g := compile(t, []string{"q"}, [3]string{"v", "VARIABLE", `{"value":1}`}, asks("a", "q"), [3]string{"w", "VARIABLE", `{"value":2}`})
	stop := errors.New("stopping")
	got, err := g.RunRow(t.Context(), env(), values(t, `["x"]`), nil, func([]grid.Cell) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("got error %v, want %v", err, stop)
	}
	wantRow(t, `[[1],null,null]`, got)
	if got, err = g.RunRow(t.Context(), env(), values(t, `["x"]`), got, quiet); err != nil {
		t.Fatal(err)
	}
	if !grid.Final(got) || got[1].Status != grid.Completed {
		wantRow(t, "final cells", got)
	}
}

// TestContextEndsDuringStep ends the context in steps of each kind.
func TestContextEndsDuringStep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		columns [][3]string
		want    string
	}{
		{"effect", [][3]string{{"v", "VARIABLE", `{"value":1}`}, asks("a", "q"), {"w", "VARIABLE", `{"value":2}`}}, `[[1],true,null]`},
		{"slow", [][3]string{{"v", "VARIABLE", `{"value":1}`}, script("a", "wait"), {"w", "VARIABLE", `{"value":2}`}}, `[[1],null,null]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cause := errors.New("cancelled by hand")
			ctx, cancel := context.WithCancelCause(t.Context())
			world := step.Env{
				Models: models(func(ctx context.Context, _ string) (string, error) {
					cancel(cause)
					return "", fault.BadRequestf("broken off")
				}),
				Scripts: code(func(ctx context.Context, _ string, _ jsontree.Value) (jsontree.Value, error) {
					cancel(cause)
					return jsontree.Value{}, ctx.Err()
				}),
			}
			got, err := compile(t, []string{"q"}, c.columns...).RunRow(ctx, world, values(t, `["x"]`), nil, quiet)
			if !errors.Is(err, cause) {
				t.Errorf("got error %v, want %v", err, cause)
			}
			wantRow(t, c.want, got)
			grid.GiveUp(got, "The run was cancelled")
			wantRow(t, `[[1],"The run was cancelled","The run was cancelled"]`, got)
		})
	}
}

func TestContextEndsBeforeStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := compile(t, nil, [3]string{"v", "VARIABLE", `{"value":1}`})
	got, err := g.RunRow(ctx, env(), nil, nil, quiet)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v", err)
	}
	wantRow(t, `[null]`, got)
	if got, err = g.RunRow(ctx, env(), nil, cells(t, `[[1]]`), quiet); err != nil {
		t.Errorf("a row with nothing to do gave %v", err)
	}
	wantRow(t, `[[1]]`, got)
}

// TestFailuresAreReported checks that the full error, which is not stored in a
// cell, is reported.
func TestFailuresAreReported(t *testing.T) {
	t.Parallel()
	g := compile(t, nil, script("a", "panic"), script("b", "internal"))
	var reported []string
	g.Failed = func(column grid.Column, err error) { reported = append(reported, column.Name+": "+err.Error()) }
	if _, err := g.RunRow(t.Context(), env(), nil, nil, quiet); err != nil {
		t.Fatal(err)
	}
	if len(reported) != 2 {
		t.Fatalf("%d failures were reported: %q", len(reported), reported)
	}
	contains(t, "the panic", reported[0], "a: panic in cell of an evaluation: a mistake")
	contains(t, "the failure", reported[1], "b: pq: secret")
}

// TestReasonsStayWithTheirCells has a judge that gives a reason, and columns that
// give none.
func TestReasonsStayWithTheirCells(t *testing.T) {
	t.Parallel()
	judge := [3]string{"j", "LLM_ASSERTION", `{"source":"q","prompt":"p","reason":true}`}
	g := compile(t, []string{"q"}, asks("a", "q"), judge, asks("b", "j"))
	check.Equal(t, "explains", []bool{g.Explains(), compile(t, []string{"q"}, asks("a", "q")).Explains()}, []bool{true, false})
	world := step.Env{Models: models(func(context.Context, string) (string, error) { return `{"verdict":true,"reason":"so"}`, nil })}
	for _, perColumn := range []bool{false, true} {
		if perColumn {
			g.Env = func(grid.Column) step.Env { return world }
		}
		got, err := g.RunRow(t.Context(), world, values(t, `["x"]`), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		check.Equal(t, "reasons", []string{got[0].Reason, got[1].Reason, got[2].Reason}, []string{"", "so", ""})
		check.Equal(t, "verdict", string(got[1].Value.Raw()), "true")
	}
}

// TestEnvPerColumn uses a different model for each column.
func TestEnvPerColumn(t *testing.T) {
	t.Parallel()
	g := compile(t, []string{"q"}, asks("a", "q"), [3]string{"h", "HUMAN", `{}`}, asks("b", "a"))
	g.Env = func(column grid.Column) step.Env {
		return step.Env{Models: models(func(_ context.Context, text string) (string, error) { return column.Name, nil })}
	}
	got, err := g.RunRow(t.Context(), step.Env{}, values(t, `["x"]`), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	wantRow(t, `[["a"],[null],["b"]]`, got)
}
