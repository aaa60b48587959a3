package evaluations

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

var (
	runs = engine.NewRecord(table.ReportRun, func(r *eval.Run) engine.Fields {
		n := &r.Counts
		return engine.Fields{
			"id", &r.ID, "workspace_id", &r.Workspace, "report_id", &r.ReportID, "dataset_id", &r.DatasetID, "name", &r.Name,
			"tags", engine.List(&r.Tags), "comment", &r.Comment, "score_code", scoringCode(&r.Scoring),
			"score_language", scoringLanguage(&r.Scoring), "revision", &r.Revision, "row_count", &r.Rows, "cells", &r.Cells,
			"completed", &n.Completed, "failed", &n.Failed, "running", &n.Running, "score", engine.NullText(&r.Result.Score),
			"score_matrix", engine.NullText(&r.Result.Matrix), "score_failure", engine.NullText(&r.Result.Failure),
			"creator", &r.Creator, "creator_id", &r.CreatorID, "created_at", &r.CreatedAt, "updated_at", &r.UpdatedAt,
			"ended_at", &r.EndedAt, "end_note", &r.EndNote, "archived_at", &r.ArchivedAt, "state", engine.Text(&r.State), "waiting", &n.Waiting,
		}
	}, countCells)
	insertRun = runs.Insert("revision", "completed", "failed", "running", "score_matrix", "score_failure", "creator_id", "end_note",
		"archived_at", "state", "waiting").Plus("creator_id", engine.CreatorAccount("$1"))
	endRun = runs.Set("WHERE id = $1\nAND revision = $2", "ended_at", "updated_at", "running", "waiting", "end_note",
		"score", "score_matrix", "score_failure")
)

// countCells computes the counts that are not stored.
func countCells(r *eval.Run) {
	n := &r.Counts
	if r.EndedAt != nil {
		n.Running, n.Waiting, n.Failed = 0, 0, r.Cells-n.Completed // unfinished cells stay unfinished
	}
	n.Queued = r.Cells - n.Completed - n.Failed - n.Running - n.Waiting
}

// CreateReportRun stores a run.
func (s *Store) CreateReportRun(ctx context.Context, run eval.Run, columns []eval.Column) (eval.Run, []eval.Column, error) {
	own := append([]eval.Column{}, columns...)
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (eval.Run, error) {
		id, err := engine.NextSharedID(ctx, s.db)
		if err != nil {
			return run, err
		}
		created, err := s.insertReportRun(ctx, id, run)
		if err != nil {
			return run, engine.Missing(err, "Report %d not found", run.ReportID)
		}
		for i := range own {
			own[i].ID = 0
		}
		if err := s.numberColumns(ctx, own); err != nil {
			return run, err
		}
		return created, s.insertRunColumns(ctx, id, own)
	})
	if err != nil {
		return eval.Run{}, nil, fmt.Errorf("create run: %w", err)
	}
	return created, own, nil
}

func (s *Store) insertReportRun(ctx context.Context, id int64, run eval.Run) (eval.Run, error) {
	run.ID, run.Tags, run.UpdatedAt = id, engine.DistinctInOrder(run.Tags), run.CreatedAt
	return insertRun.One(ctx, s.db, &run, engine.FoldedCreator(run.Creator))
}

func (s *Store) insertRunColumns(ctx context.Context, runID int64, columns []eval.Column) error {
	return insertRunColumn.InsertAll(ctx, s.db, ownedBy(runID, columns))
}

// GetReportRun returns a run by its id.
func (s *Store) GetReportRun(ctx context.Context, workspaceID, id int64) (eval.Run, error) {
	found, err := runs.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Run %d not found", id), "get run")
}

// ReportRuns returns the newest runs of evaluations.
func (s *Store) ReportRuns(
	ctx context.Context, workspaceID int64, evaluations []int64, status entity.Status, limit int,
) (map[int64][]eval.Run, error) {
	byReport := map[int64][]eval.Run{}
	err := engine.InChunks(engine.Distinct(evaluations), func(ids []int64) error {
		var where engine.Where
		where.Add("+workspace_id = ?", workspaceID)
		engine.AddList(&where, "report_id", ids)
		addArchived(&where, status)
		found, err := engine.QueryAll(ctx, s.db, runs.Reader(), `
SELECT `+runs.Columns+`
FROM (
SELECT `+runs.Columns+`, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY id DESC) AS place
FROM report_run
WHERE `+where.SQL()+`) AS newest
WHERE place <= `+where.Arg(limit)+`
ORDER BY id DESC`, where.Args...)
		for _, one := range found {
			byReport[one.ReportID] = append(byReport[one.ReportID], one)
		}
		return err
	})
	return engine.Wrap(byReport, err, "list runs")
}

// LiveReportRuns finds runs by name.
func (s *Store) LiveReportRuns(ctx context.Context, workspaceID int64, name string) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM report_run
WHERE workspace_id = $1
AND name = $2
AND archived_at IS NULL
ORDER BY id`, workspaceID, name)
	return engine.Wrap(found, err, "find runs by name")
}

// PatchReportRun changes the name, the tags and the comment of a run.
func (s *Store) PatchReportRun(ctx context.Context, workspaceID, id int64, patch eval.Patch) error {
	err := entities.CheckTags(patch.Tags)
	if err == nil && patch.Name != nil {
		err = engine.CheckName("name", *patch.Name)
	}
	if err == nil {
		err = s.patchReportRun(ctx, workspaceID, id, patch)
	}
	return engine.WrapError(err, "patch run")
}

func (s *Store) patchReportRun(ctx context.Context, workspaceID, id int64, patch eval.Patch) error {
	var tags *string
	if patch.Tags != nil {
		tags = new(entities.TagsText(patch.Tags))
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := engine.Exec(ctx, s.db, table.ReportRun.Update(`
SET name = COALESCE($3, name), tags = COALESCE($4, tags), comment = NULLIF(COALESCE($5, comment), ''), updated_at = $6
WHERE workspace_id = $1
AND id = $2
AND archived_at IS NULL`), workspaceID, id, patch.Name, tags, patch.Comment, s.db.Now())
		if err == nil && changed == 0 {
			err = reportRunMissing(id)
		}
		return err
	})
}

// ArchiveReportRuns archives runs.
func (s *Store) ArchiveReportRuns(ctx context.Context, workspaceID int64, ids []int64) (int64, error) {
	archived := int64(0)
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		archived = 0
		return engine.InChunks(engine.Distinct(ids), func(ids []int64) error {
			where := engine.Where{Args: []any{s.db.Now()}}
			where.Add("workspace_id = ?", workspaceID)
			where.Add("archived_at IS NULL")
			engine.AddList(&where, "id", ids)
			changed, err := engine.Exec(ctx, s.db, table.ReportRun.Update("SET archived_at = $1\nWHERE "+where.SQL()), where.Args...)
			archived += changed
			return err
		})
	})
	return engine.Wrap(archived, err, "archive runs")
}

// ReportDatasets returns the datasets of an evaluation and its runs, or of a run.
func (s *Store) ReportDatasets(ctx context.Context, workspaceID, id int64) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT report.dataset_id
FROM report
JOIN entity ON entity.id = report.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2
UNION
SELECT dataset_id
FROM report_run
WHERE workspace_id = $1
AND report_id = $2
UNION
SELECT dataset_id
FROM report_run
WHERE workspace_id = $1
AND id = $2
ORDER BY 1`, workspaceID, id)
	return engine.Wrap(found, err, "find the datasets of a report")
}
