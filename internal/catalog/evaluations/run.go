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

const reportRunColumns = `id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision,
row_count, cells, completed, failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting`

func scanReportRun(r engine.Row) (eval.Run, error) {
	var one eval.Run
	var s scoringColumns
	n := &one.Counts
	err := r.Scan(&one.ID, &one.Workspace, &one.ReportID, &one.DatasetID, &one.Name, engine.List(&one.Tags), &one.Comment, &s.code, &s.language,
		&one.Revision, &one.Rows, &one.Cells, &n.Completed, &n.Failed, &n.Running,
		engine.NullText(&one.Result.Score), engine.NullText(&one.Result.Matrix), engine.NullText(&one.Result.Failure), &one.Creator, &one.CreatorID,
		engine.Time(&one.CreatedAt), engine.Time(&one.UpdatedAt), engine.NullTime(&one.EndedAt), &one.EndNote, engine.NullTime(&one.ArchivedAt),
		&one.State, &n.Waiting)
	one.Scoring = s.scoring()
	if one.EndedAt != nil {
		n.Running, n.Waiting, n.Failed = 0, 0, one.Cells-n.Completed // unfinished cells stay unfinished
	}
	n.Queued = one.Cells - n.Completed - n.Failed - n.Running - n.Waiting
	return one, err
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
	code, language := scoringArgs(run.Scoring)
	return engine.ExecOne(ctx, s.db, scanReportRun, table.ReportRun.Insert(`
(id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, row_count, cells,
score, creator, created_at, updated_at, ended_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $15, `+engine.CreatorAccount("$16")+`)
RETURNING `+reportRunColumns),
		id, run.Workspace, run.ReportID, run.DatasetID, run.Name, entities.TagsText(run.Tags), run.Comment, code, language, run.Rows, run.Cells,
		engine.OrNull(run.Result.Score), run.Creator, run.CreatedAt, run.EndedAt, engine.FoldedCreator(run.Creator))
}

func (s *Store) insertRunColumns(ctx context.Context, runID int64, columns []eval.Column) error {
	rows := make([][]any, len(columns))
	for i, one := range columns {
		rows[i] = []any{one.ID, runID, one.Position, one.Type, one.Name, engine.ObjectText(one.Configuration), engine.Flag(one.Scored)}
	}
	return engine.InsertRows(ctx, s.db, table.ReportRunColumn, `(id, run_id, position, type, name, configuration, scored)`, rows)
}

// GetReportRun returns a run by its id.
func (s *Store) GetReportRun(ctx context.Context, workspaceID, id int64) (eval.Run, error) {
	found, err := engine.QueryOne(ctx, s.db, scanReportRun, `
SELECT `+reportRunColumns+`
FROM report_run
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
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
		found, err := engine.QueryAll(ctx, s.db, scanReportRun, `
SELECT `+reportRunColumns+`
FROM (
SELECT `+reportRunColumns+`, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY id DESC) AS place
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
