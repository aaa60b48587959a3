package storetest

import (
	"context"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/webhook"
)

var dailyExport = exporter.Content{
	Name: "毎日", Enabled: true, Source: exporter.Requests, Query: `{"q":"日本"}`, Incremental: true,
	File:     export.File{Options: format.Options{Format: format.CSV, Compression: format.Gzip, KeepFormulas: true}, Columns: []string{"id", "price"}},
	Target:   exporter.Target{Address: "s3://shelf/a", Region: "eu-1", Endpoint: "https://x.test"},
	Schedule: exporter.Schedule{Every: exporter.Weekly, Minute: 5, Hour: 23, Weekday: time.Saturday},
}

func (s *store) export(workspace int64, content exporter.Content, next *time.Time) exporter.Export {
	s.t.Helper()
	return check.Must(s.Exports.CreateExport(s.ctx, exporter.Export{Workspace: workspace, Content: content, NextAt: next, CreatedBy: pointer("ann@x.test")},
		func(id int64) []byte { return []byte("sealed " + strconv.FormatInt(id, 10)) }))(s.t)
}

// exportRun starts a run of an export.
func (s *store) exportRun(e exporter.Export) exporter.Run {
	s.t.Helper()
	return check.Must(s.Exports.CreateRun(s.ctx, e, exporter.Run{State: exporter.Waiting, Scheduled: true, CreatedBy: pointer("ann@x.test"), CreatedAt: noon}))(s.t)
}

var savedExportCases = []testCase{
	{"create, change and delete", func(s *store) {
		created := s.export(s.workspace, dailyExport, new(noon))
		s.equal(created.Content, dailyExport)
		s.equal(string(created.Sealed), "sealed "+strconv.FormatInt(created.ID, 10))
		s.equal(created.NextAt.Equal(noon), true)
		s.equal(check.Must(s.Exports.GetExport(s.ctx, s.workspace, created.ID))(s.t), created)
		s.fails(check.Failure(s.Exports.CreateExport(s.ctx, created, func(int64) []byte { return nil })), fault.Conflict)
		other := created
		other.Content = exporter.Content{Name: "another", Source: exporter.Traces, Query: "{}", File: export.File{Options: format.Options{Format: format.Parquet}},
			Target: exporter.Target{Address: "/exports"}, Schedule: exporter.Schedule{Every: exporter.Once}}
		other.Sealed, other.NextAt = []byte{}, nil
		changed := check.Must(s.Exports.UpdateExport(s.ctx, other, false))(s.t)
		s.equal(changed.Content, other.Content)
		s.equal(len(changed.Sealed), 0)
		second := s.export(s.workspace, dailyExport, nil)
		second.Name = "another"
		s.fails(check.Failure(s.Exports.UpdateExport(s.ctx, second, true)), fault.Conflict)
		all := check.Must(s.Exports.ListExports(s.ctx, s.workspace))(s.t)
		s.equal([]string{all[0].Name, all[1].Name}, []string{"another", "毎日"})
		s.ok(s.Exports.DeleteExport(s.ctx, changed))
		s.fails(check.Failure(s.Exports.GetExport(s.ctx, s.workspace, created.ID)), fault.NotFound)
		s.fails(s.Exports.DeleteExport(s.ctx, changed), fault.NotFound)
	}},
	{"workspaces are isolated", func(s *store) {
		mine := s.export(s.workspace, dailyExport, nil)
		run := s.exportRun(mine)
		s.equal(len(check.Must(s.Exports.ListExports(s.ctx, s.other))(s.t)), 0)
		s.fails(check.Failure(s.Exports.GetExport(s.ctx, s.other, mine.ID)), fault.NotFound)
		s.fails(check.Failure(s.Exports.GetRun(s.ctx, s.other, run.ID)), fault.NotFound)
		runs, total, err := s.Exports.ListRuns(s.ctx, s.other, mine.ID, entity.Page{Limit: 10})
		s.ok(err)
		s.equal(total+int64(len(runs)), int64(0))
		moved := mine
		moved.Workspace = s.other
		s.fails(check.Failure(s.Exports.UpdateExport(s.ctx, moved, true)), fault.NotFound)
		s.export(s.other, dailyExport, nil) // the name is free there
	}},
	{"one run at a time", func(s *store) {
		wants := s.webhook(s.workspace, webhook.Content{Name: "exports", URL: "x", Events: []webhook.EventType{webhook.ExportFailed}, Enabled: true})
		mine := s.export(s.workspace, dailyExport, nil)
		run := s.exportRun(mine)
		s.equal(run.Active(), true)
		s.fails(check.Failure(s.Exports.CreateRun(s.ctx, mine, exporter.Run{State: exporter.Waiting, CreatedAt: noon})), fault.Conflict)
		s.fails(s.Exports.DeleteExport(s.ctx, mine), fault.Conflict)
		s.fails(check.Failure(s.Exports.UpdateExport(s.ctx, mine, false)), fault.Conflict)
		check.Must(s.Exports.UpdateExport(s.ctx, mine, true))(s.t)
		run.State, run.Failure, run.EndedAt = exporter.Failed, "why", new(noon.Add(time.Hour))
		run.Progress = exporter.Progress{
			Begun: true, After: 3, Last: 1 << 60, Upto: 9, Rows: 4, Damaged: 1, Bytes: 1 << 40, Attempts: 2,
			Files: []exporter.File{{Name: "a", Rows: pointer(int64(4)), Bytes: 7}, {Name: "b", Bytes: 1}},
		}
		s.ok(s.Exports.SaveRun(s.ctx, mine, run))
		s.equal(check.Must(s.Exports.GetRun(s.ctx, s.workspace, run.ID))(s.t), run)
		s.equal(*check.Must(s.Exports.GetExport(s.ctx, s.workspace, mine.ID))(s.t).LastRun, run)
		s.equal(s.events(wants), []webhook.EventType{webhook.ExportFailed})
		next := s.exportRun(mine)
		s.equal(check.Must(s.Exports.ListExports(s.ctx, s.workspace))(s.t)[0].LastRun.ID, next.ID)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error { return s.Exports.NoteRun(ctx, mine, next, audit.Cancel) }))
		found := check.Must(s.Accounts.ListAudit(s.ctx, audit.Query{WorkspaceID: &s.workspace, Action: audit.Export, Limit: 10}))(s.t)
		s.equal(len(found), 2)
		s.fails(s.Exports.SaveRun(s.ctx, mine, exporter.Run{ID: 1 << 40}), fault.NotFound)
		s.fails(check.Failure(s.Exports.CreateRun(s.ctx, exporter.Export{ID: 1 << 40, Workspace: s.workspace}, exporter.Run{CreatedAt: noon})), fault.NotFound)
	}},
	{"what is due", func(s *store) {
		s.export(s.workspace, dailyExport, nil)
		mine := s.export(s.other, dailyExport, new(noon))
		s.equal(len(check.Must(s.Exports.DueExports(s.ctx, noon.Add(-time.Second), 10))(s.t)), 0)
		due := check.Must(s.Exports.DueExports(s.ctx, noon, 10))(s.t)
		s.equal(len(due), 1)
		s.equal(due[0].ID, mine.ID)
		next := noon.Add(time.Hour)
		s.equal(check.Must(s.Exports.AdvanceExport(s.ctx, due[0], &next))(s.t), true)
		s.equal(check.Must(s.Exports.AdvanceExport(s.ctx, due[0], &next))(s.t), false)
		s.equal(len(check.Must(s.Exports.DueExports(s.ctx, noon, 10))(s.t)), 0)
		s.equal(check.Must(s.Exports.GetExport(s.ctx, s.other, mine.ID))(s.t).NextAt.Equal(next), true)
	}},
	{"the last log stays until the target changes", func(s *store) {
		mine := s.export(s.workspace, dailyExport, nil)
		s.ok(s.Exports.SetLastLog(s.ctx, mine, 1<<60))
		mine = check.Must(s.Exports.GetExport(s.ctx, s.workspace, mine.ID))(s.t)
		s.equal(mine.LastLog, int64(1<<60))
		s.equal(check.Must(s.Exports.UpdateExport(s.ctx, mine, true))(s.t).LastLog, int64(1<<60))
		mine.LastLog = 0
		s.equal(check.Must(s.Exports.UpdateExport(s.ctx, mine, false))(s.t).LastLog, int64(0))
	}},
	{"the history and the number are limited", func(s *store) {
		mine := s.export(s.workspace, dailyExport, nil)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			for range 102 {
				run, err := s.Exports.CreateRun(ctx, mine, exporter.Run{State: exporter.Done, CreatedAt: noon})
				if err != nil {
					return err
				}
				run.EndedAt = new(noon)
				if err := s.Exports.SaveRun(ctx, mine, run); err != nil {
					return err
				}
			}
			return nil
		}))
		runs, total, err := s.Exports.ListRuns(s.ctx, s.workspace, mine.ID, entity.Page{Limit: 1, Offset: 99})
		s.ok(err)
		s.equal(total, int64(100))
		s.equal(len(runs), 1)
		content := dailyExport
		for i := range 49 {
			content.Name = strconv.Itoa(i)
			s.export(s.workspace, content, nil)
		}
		content.Name = "one more"
		s.fails(check.Failure(s.Exports.CreateExport(s.ctx, exporter.Export{Workspace: s.workspace, Content: content}, func(int64) []byte { return nil })), fault.BadRequest)
	}},
}
