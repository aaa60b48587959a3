package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func deletionOf(workspace int64) deletion.Deletion {
	return deletion.Deletion{
		Workspace: workspace, Source: deletion.ByUser, Query: `{"q":"日本"}`, User: "ann", TextsOnly: true, State: deletion.Running, After: 3, Last: 1 << 60, Total: 7,
		CreatedBy: pointer("ann@x.test"), CreatedAt: noon,
	}
}

func (s *store) deletion(workspace int64) deletion.Deletion {
	s.t.Helper()
	return check.Must(s.Deletions.CreateDeletion(s.ctx, deletionOf(workspace)))(s.t)
}

// deletionsOf describes the deletions of a workspace.
func (s *store) deletionsOf(workspace int64, offset, limit int) string {
	s.t.Helper()
	list, total, err := s.Deletions.ListDeletions(s.ctx, workspace, offset, limit)
	s.ok(err)
	text := fmt.Sprint(total)
	for _, d := range list {
		text += fmt.Sprintf(" %s/%d", d.State, d.Logs)
	}
	return text
}

var deletionCases = []testCase{
	{"of a metadata key and of a score", func(s *store) {
		for _, d := range []deletion.Deletion{{MetadataKey: "k\u00e9y"}, {ScoreName: "tone", WithTraces: true}} {
			want := deletionOf(s.workspace)
			want.TextsOnly, want.MetadataKey, want.ScoreName, want.WithTraces = false, d.MetadataKey, d.ScoreName, d.WithTraces
			made := check.Must(s.Deletions.CreateDeletion(s.ctx, want))(s.t)
			want.ID = made.ID
			s.equal(made, want)
			s.equal(check.Must(s.Deletions.GetDeletion(s.ctx, s.workspace, made.ID))(s.t), want)
		}
	}},
	{"create, get, save and list", func(s *store) {
		s.equal(s.deletionsOf(s.workspace, 0, 10), "0")
		made := s.deletion(s.workspace)
		want := deletionOf(s.workspace)
		want.ID = made.ID
		s.equal(made, want)
		made.Done, made.Upto, made.Logs, made.FirstID, made.LastID, made.Traces, made.Digest = 3, 1<<60, 6, 1, 9, 2, []byte("state")
		made.Reclaimed = reqlog.Reclaimed{Files: 2, BytesBefore: 1 << 40, BytesAfter: 7, DamagedBytes: 1}
		s.ok(s.Deletions.SaveDeletion(s.ctx, deletion.Running, made))
		s.equal(check.Must(s.Deletions.GetDeletion(s.ctx, s.workspace, made.ID))(s.t), made)
		made.State = deletion.Reclaiming
		s.ok(s.Deletions.SaveDeletion(s.ctx, deletion.Running, made))
		s.fails(s.Deletions.SaveDeletion(s.ctx, deletion.Running, made), fault.Conflict)
		made.State, made.Failure, made.EndedAt, made.Digest = deletion.Failed, "why", new(noon.Add(time.Minute)), nil
		s.ok(s.Deletions.SaveDeletion(s.ctx, deletion.Reclaiming, made))
		s.equal(check.Must(s.Deletions.GetDeletion(s.ctx, s.workspace, made.ID))(s.t), made)
		s.deletion(s.workspace)
		s.equal(s.deletionsOf(s.workspace, 0, 10), "2 running/0 failed/6")
		s.equal(s.deletionsOf(s.workspace, 1, 1), "2 failed/6")
		s.equal(s.deletionsOf(s.other, 0, 10), "0")
		s.fails(check.Failure(s.Deletions.GetDeletion(s.ctx, s.other, made.ID)), fault.NotFound)
		s.fails(check.Failure(s.Deletions.CreateDeletion(s.ctx, deletionOf(1<<40))), fault.NotFound)
		s.ok(s.Deletions.InTx(s.ctx, func(ctx context.Context) error { return s.Deletions.NoteDeletion(ctx, made, audit.Cancel) }))
	}},
	{"retention", func(s *store) {
		none := check.Must(s.Deletions.GetRetention(s.ctx, s.workspace))(s.t)
		s.equal(none, deletion.Retention{Workspace: s.workspace})
		want := deletion.Retention{
			Workspace: s.workspace, Rules: deletion.Rules{Rules: []deletion.Rule{{Status: "ERROR", Days: 90}, {Tag: "日本", Days: 0}}, Days: 30, TextDays: 7},
			DueAt: noon, UpdatedBy: pointer("ann@x.test"), UpdatedAt: new(noon),
		}
		s.equal(check.Must(s.Deletions.PutRetention(s.ctx, want))(s.t), want)
		s.equal(check.Must(s.Deletions.GetRetention(s.ctx, s.workspace))(s.t), want)
		s.equal(len(check.Must(s.Deletions.DueRetentions(s.ctx, noon.Add(-time.Second), 10))(s.t)), 0)
		due := check.Must(s.Deletions.DueRetentions(s.ctx, noon, 10))(s.t)
		s.equal(due, []deletion.Retention{want})
		texts := deletion.TextProgress{Upto: 1 << 60, Before: noon.UTC()}
		s.equal(check.Must(s.Deletions.AdvanceRetention(s.ctx, due[0], noon.Add(time.Hour), texts))(s.t), true)
		s.equal(check.Must(s.Deletions.AdvanceRetention(s.ctx, due[0], noon.Add(time.Hour), texts))(s.t), false)
		s.equal(check.Must(s.Deletions.GetRetention(s.ctx, s.workspace))(s.t).Texts, texts)
		s.equal(len(check.Must(s.Deletions.DueRetentions(s.ctx, noon, 10))(s.t)), 0)
		want.Rules = deletion.Rules{}
		s.equal(check.Must(s.Deletions.PutRetention(s.ctx, want))(s.t).Empty(), true)
		s.fails(check.Failure(s.Deletions.PutRetention(s.ctx, deletion.Retention{Workspace: 1 << 40, UpdatedAt: new(noon)})), fault.NotFound)
	}},
}
