package eval_test

import (
	"context"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const canary = "canary-4711-0815"

// tokenOf opens the header A of a column, as a run would.
func (l *lab) tokenOf(config jsontree.Value) string {
	l.t.Helper()
	if strings.Contains(string(config.Raw()), canary) {
		l.t.Errorf("stored %s", config.Raw())
	}
	sealed := config.Get("headers").Get("A").Get("$sealed").Str()
	return check.Must(l.vault.Credentials(l.workspace, nil).Open("https://x.test:443", sealed))(l.t)
}

func TestCredentialsOfColumnsAndRuns(t *testing.T) {
	onEachEngine(t, func(t *testing.T, l *lab) {
		p := l.process("a", func(context.Context, string) (string, error) { return "1", nil }, true)
		made := p.evaluation(l.dataset("d", numbers(1)), l.column("ENDPOINT", "c", `{"url":"https://x.test","headers":{"A":"`+canary+`"}}`))
		stored := func() []eval.Column { return p.run(made.Entity.ID).Columns }
		own := stored()[2]
		check.Equal(t, "created", l.tokenOf(own.Configuration), canary)
		patch := func(config string) error {
			in := eval.ColumnPatch{ReportID: made.Entity.ID, Type: "ENDPOINT", Configuration: l.tree(config)}
			return check.Failure(p.PatchColumn(l.ctx, l.workspace, own.ID, in))
		}
		check.OK(t, patch(`{"url":"https://x.test/b","headers":{"A":"…"}}`))
		check.Equal(t, "kept", l.tokenOf(stored()[2].Configuration), canary)
		added := check.Must(p.AddColumn(l.ctx, l.workspace, made.Entity.ID, l.column("ENDPOINT", "copy", `{"url":"https://x.test","headers":{"A":"…"}}`)))(t)
		check.Equal(t, "copied", l.tokenOf(added.Configuration), canary)
		run := p.start(made)
		check.Equal(t, "column of the run", l.tokenOf(p.await(run.ID, ended).Columns[2].Configuration), canary)
		catalogtest.Unchanged(t, l.catalog, l.workspace, func() {
			check.Fault(t, patch(`{"url":"https://evil.test","headers":{"A":"…"}}`), fault.Invalid)
			check.Fault(t, patch(`{"url":"https://x.test","headers":{"B":"…"}}`), fault.Invalid)
			check.Fault(t, patch(string(own.Configuration.Raw())), fault.Invalid)
			check.Fault(t, patch(`{"url":"https://x.test","headers":{"A":"a\nb"}}`), fault.BadRequest)
		})
	})
}

// TestTypeOfAColumnChanges seals what was no credential in the type before.
func TestTypeOfAColumnChanges(t *testing.T) {
	t.Parallel()
	l := newLab(t, catalogtest.SQLite(t))
	p := l.process("a", nil, true)
	config := `{"value":{"type":"string","value":"x"},"url":"https://x.test","headers":{"A":"` + canary + `"}}`
	made := p.evaluation(l.dataset("d", numbers(1)), l.column("VARIABLE", "c", config))
	id := p.run(made.Entity.ID).Columns[2].ID
	changed := check.Must(p.PatchColumn(l.ctx, l.workspace, id, eval.ColumnPatch{ReportID: made.Entity.ID, Type: "ENDPOINT"}))(t)
	check.Equal(t, "sealed", l.tokenOf(changed.Configuration), canary)
}
