package run

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

// logbook records its calls with the time since the start.
type logbook struct {
	start time.Time
	lines []string
}

func (b *logbook) began(context.Context, []NodeState) error { return nil }

func (b *logbook) progressed(_ context.Context, changed []NodeState) error {
	line := fmt.Sprint(time.Since(b.start).Milliseconds(), "ms")
	for _, state := range changed {
		line += fmt.Sprint(" ", state.Position, "=", state.Status)
	}
	b.lines = append(b.lines, line)
	return nil
}

// timed is code whose text is its running time.
type timed struct{}

func (timed) Run(_ context.Context, _ step.Language, code string, _ jsontree.Value) (jsontree.Value, error) {
	took, err := time.ParseDuration(code)
	time.Sleep(took) // in simulated time
	return jsontree.Value{}, err
}

// compiledOf compiles a graph of nodes.
func compiledOf(t *testing.T, nodes []string, edges ...string) *graph {
	t.Helper()
	var problems fault.Problems
	d := workflow.Definition{
		Nodes: workflow.ReadNodes(check.JSON("["+strings.Join(nodes, ",")+"]"), nil, &problems),
		Edges: workflow.ReadEdges(check.JSON("["+strings.Join(edges, ",")+"]"), nil, &problems),
	}
	check.OK(t, problems.Err())
	return check.Must(compile(&d))(t)
}

func TestProgressIsRecordedPeriodically(t *testing.T) {
	t.Parallel()
	code := func(i int, took string, dependencies string) string {
		return fmt.Sprintf(`{"name":"n%d","node_type":"CODE_EXECUTION","configuration":{"code":%q,"language":"JAVASCRIPT"},"dependencies":[%s],"is_output_node":true}`, i, took, dependencies)
	}
	chain := func(n int, took string) []string {
		list := []string{code(0, took, "")}
		for i := 1; i < n; i++ {
			list = append(list, code(i, took, fmt.Sprintf(`"n%d"`, i-1)))
		}
		return list
	}
	tests := map[string]struct {
		nodes []string
		want  []string
	}{
		"a slow step":                {[]string{code(0, "600ms", "")}, []string{"250ms 0=RUNNING", "500ms"}},
		"many slow steps":            {chain(7, "90ms"), []string{"250ms 0=SUCCESS 1=SUCCESS 2=RUNNING", "500ms 2=SUCCESS 3=SUCCESS 4=SUCCESS 5=RUNNING"}},
		"fast steps cost no write":   {chain(100, "1ms"), nil},
		"fast steps with a slow one": {append(chain(3, "1ms"), code(3, "300ms", "")), []string{"250ms 0=SUCCESS 1=SUCCESS 2=SUCCESS 3=RUNNING"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := compiledOf(t, test.nodes)
			synctest.Test(t, func(t *testing.T) {
				book := &logbook{start: time.Now()}
				x := newExecution(g, jsontree.Value{}, step.Env{Scripts: timed{}}, book, nil, time.Now, nil)
				check.OK(t, x.drive(t.Context()))
				check.Equal(t, "recorded", book.lines, test.want)
				for _, state := range x.states {
					check.Equal(t, g.nodes[state.Position].name, state.Status, Success)
				}
			})
		})
	}
}
