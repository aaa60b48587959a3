package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/source"
)

func importOf(workspace int64) importer.Import {
	return importer.Import{
		Workspace: workspace, Name: "日本.csv", State: importer.Uploading, CreatedBy: pointer("ann@x.test"), CreatedAt: noon,
		Options: source.Options{Format: source.CSV, Columns: map[string]string{"input": "日"}, Defaults: map[string]string{"model": "m"}},
	}
}

func (s *store) imported(workspace int64) importer.Import {
	s.t.Helper()
	return check.Must(s.Imports.CreateImport(s.ctx, importOf(workspace)))(s.t)
}

// changeImport moves an import to a state.
func (s *store) changeImport(i importer.Import, state importer.State) importer.Import {
	s.t.Helper()
	from := i.State
	i.State = state
	if state == importer.Done || state == importer.Failed || state == importer.Cancelled {
		i.EndedAt = new(noon.Add(time.Minute))
	}
	s.ok(s.Imports.SaveImport(s.ctx, from, i, ""))
	return i
}

// importsOf describes the imports of a workspace.
func (s *store) importsOf(workspace int64, offset, limit int) string {
	s.t.Helper()
	list, total, err := s.Imports.ListImports(s.ctx, workspace, offset, limit)
	s.ok(err)
	text := fmt.Sprintf("%d, %d open:", total, check.Must(s.Imports.CountOpenImports(s.ctx, workspace))(s.t))
	for _, i := range list {
		text += fmt.Sprintf(" %s/%d", i.State, i.Run.Rows)
	}
	return text
}

// parts returns the parts of a content.
func (s *store) parts(id int64, content importer.Content) (text string) {
	s.t.Helper()
	for n := int64(1); ; n++ {
		part, err := s.Imports.GetPart(s.ctx, id, content, n)
		if fault.Is(err, fault.NotFound) {
			return text
		}
		s.ok(err)
		text += string(part) + ";"
	}
}

var importCases = []testCase{
	{"create, get, save and list", func(s *store) {
		s.equal(s.importsOf(s.workspace, 0, 10), "0, 0 open:")
		made := s.imported(s.workspace)
		want := importOf(s.workspace)
		want.ID = made.ID
		s.equal(made, want)
		made.Parts, made.Size, made.Hash, made.SkipRefused, made.Failure = 3, 1<<40, "ab", true, "why"
		made.Options = source.Options{}
		made.Check = importer.Progress{Format: source.OpenAI, Rows: 7, Refused: 2, First: []importer.Entry{{Row: 1, Line: 2, ID: "x", Status: importer.NoteRefused, Reason: "日"}}}
		made.Run = importer.Progress{Rows: 5, Accepted: 4, Commits: 2, LastID: 1 << 60}
		made = s.changeImport(made, importer.Running)
		s.equal(check.Must(s.Imports.GetImport(s.ctx, s.workspace, made.ID))(s.t), made)
		made = s.changeImport(made, importer.Done)
		s.equal(check.Must(s.Imports.GetImport(s.ctx, s.workspace, made.ID))(s.t), made)
		s.imported(s.workspace)
		s.equal(s.importsOf(s.workspace, 0, 10), "2, 1 open: uploading/0 done/5")
		s.equal(s.importsOf(s.workspace, 1, 1), "2, 1 open: done/5")
		s.equal(s.importsOf(s.workspace, 5, 1), "2, 1 open:")
	}},
	{"a workspace has one job at a time", func(s *store) {
		first, second := s.imported(s.workspace), s.imported(s.workspace)
		first = s.changeImport(first, importer.Checking)
		second.State = importer.Running
		s.fails(s.Imports.SaveImport(s.ctx, importer.Uploading, second, ""), fault.Conflict)
		s.changeImport(s.imported(s.other), importer.Checking)
		s.changeImport(first, importer.Checked)
		s.ok(s.Imports.SaveImport(s.ctx, importer.Uploading, second, ""))
	}},
	{"one of several changes of the state wins", func(s *store) {
		made := s.changeImport(s.imported(s.workspace), importer.Checked)
		start := made
		start.State = importer.Running
		s.oneWinner(check.Together(crowd, func(int) error {
			return s.Imports.SaveImport(s.ctx, importer.Checked, start, audit.Import)
		}), fault.Conflict)
	}},
	{"find by hash", func(s *store) {
		find := func(workspace, id int64, hash string) error {
			return check.Failure(s.Imports.FindImportByHash(s.ctx, workspace, id, hash))
		}
		first := s.imported(s.workspace)
		first.Hash = "ab"
		first = s.changeImport(first, importer.Checked)
		s.fails(find(s.workspace, 0, "ab"), fault.NotFound)
		s.fails(find(s.workspace, 0, ""), fault.NotFound)
		first = s.changeImport(s.changeImport(first, importer.Running), importer.Done)
		s.equal(check.Must(s.Imports.FindImportByHash(s.ctx, s.workspace, first.ID+1, "ab"))(s.t).ID, first.ID)
		s.fails(find(s.workspace, first.ID, "ab"), fault.NotFound)
		s.fails(find(s.other, 0, "ab"), fault.NotFound)
		s.fails(find(s.workspace, 0, "abc"), fault.NotFound)
	}},
	{"parts are replaced and deleted", func(s *store) {
		one, other := s.imported(s.workspace), s.imported(s.other)
		s.ok(s.Imports.PutPart(s.ctx, one.ID, importer.FileContent, 1, []byte("a\x00\xff")))
		s.ok(s.Imports.PutPart(s.ctx, one.ID, importer.FileContent, 2, []byte("b")))
		s.ok(s.Imports.PutPart(s.ctx, one.ID, importer.FileContent, 2, []byte("c")))
		s.ok(s.Imports.PutPart(s.ctx, one.ID, importer.RunReport, 1, []byte("r")))
		s.ok(s.Imports.PutPart(s.ctx, other.ID, importer.FileContent, 1, []byte("o")))
		s.equal(s.parts(one.ID, importer.FileContent), "a\x00\xff;c;")
		s.ok(s.Imports.DeleteParts(s.ctx, one.ID, importer.FileContent))
		s.equal(s.parts(one.ID, importer.FileContent), "")
		s.equal(s.parts(one.ID, importer.RunReport), "r;")
		s.ok(s.Imports.DeleteImport(s.ctx, one))
		s.equal(s.parts(one.ID, importer.RunReport), "")
		s.equal(s.parts(other.ID, importer.FileContent), "o;")
		s.fails(s.Imports.PutPart(s.ctx, one.ID, importer.FileContent, 1, []byte("a")), fault.NotFound)
	}},
	{"an active import is not deleted", func(s *store) {
		made := s.changeImport(s.imported(s.workspace), importer.Checking)
		s.fails(s.Imports.DeleteImport(s.ctx, made), fault.Conflict)
		made = s.changeImport(made, importer.Checked)
		theirs := made
		theirs.Workspace = s.other
		s.fails(s.Imports.DeleteImport(s.ctx, theirs), fault.Conflict)
		s.ok(s.Imports.DeleteImport(s.ctx, made))
		s.fails(s.Imports.DeleteImport(s.ctx, made), fault.Conflict)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.imported(s.workspace)
		s.fails(check.Failure(s.Imports.GetImport(s.ctx, s.other, mine.ID)), fault.NotFound)
		theirs := mine
		theirs.Workspace = s.other
		s.fails(s.Imports.SaveImport(s.ctx, importer.Uploading, theirs, ""), fault.Conflict)
		s.equal(s.importsOf(s.other, 0, 10), "0, 0 open:")
		s.fails(check.Failure(s.Imports.CreateImport(s.ctx, importOf(999))), fault.NotFound)
	}},
	{"changes are audited, and rolled-back ones leave nothing", func(s *store) {
		var made importer.Import
		detail := func(state string) string {
			return ` import 1 {"file":"日本.csv","format":"","refused":0,"rows":0,"state":"` + state + `"}`
		}
		s.audits(func() { made = s.imported(s.workspace) }, "create IMPORT"+detail("uploading"))
		s.audits(func() { made = s.changeImport(made, importer.Checked) })
		run := made
		run.State = importer.Running
		s.audits(func() { s.ok(s.Imports.SaveImport(s.ctx, importer.Checked, run, audit.Import)) }, "import IMPORT"+detail("running"))
		s.audits(func() {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error { return s.Imports.NoteImport(ctx, run, audit.Cancel) }))
		}, "cancel IMPORT"+detail("running"))
		run = s.changeImport(run, importer.Cancelled)
		s.audits(func() { s.ok(s.Imports.DeleteImport(s.ctx, run)) }, "delete IMPORT"+detail("cancelled"))
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(check.Failure(s.Imports.CreateImport(ctx, importOf(s.other))))
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.equal(s.importsOf(s.other, 0, 10), "0, 0 open:")
	}},
}
