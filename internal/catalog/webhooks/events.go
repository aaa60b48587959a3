package webhooks

import (
	"context"
	"maps"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/webhook"
)

// VersionPublished tells webhooks about a version of an entity.
func VersionPublished(ctx context.Context, db *engine.DB, workspaceID, entityID, number int64) error {
	return Emit(ctx, db, workspaceID, Event{Type: webhook.VersionPublished, Details: aboutEntity(db, entityID, webhook.Details{"version_number": number})})
}

// LabelMoved tells webhooks about a label that points at a version. before is the
// number of the version that it pointed at, nil if it is new.
func LabelMoved(ctx context.Context, db *engine.DB, workspaceID, entityID int64, label string, number int64, before *int64) error {
	details := webhook.Details{"label": label, "version_number": number, "previous_version_number": nil}
	if before != nil {
		details["previous_version_number"] = *before
	}
	return Emit(ctx, db, workspaceID, Event{Type: webhook.LabelMoved, Details: aboutEntity(db, entityID, details)})
}

// RunEnded tells webhooks about the end of a workflow run.
func RunEnded(ctx context.Context, db *engine.DB, workspaceID, workflowID, runID int64, status string, failed bool) error {
	details := func(ctx context.Context) (webhook.Details, error) {
		name, err := nameOf(ctx, db, workflowID)
		return webhook.Details{"agent_id": workflowID, "agent_name": name, "agent_execution_id": runID, "status": status}, err
	}
	events := []Event{{Type: webhook.RunFinished, Details: details}}
	if failed {
		events = append(events, Event{Type: webhook.RunFailed, Details: details})
	}
	return Emit(ctx, db, workspaceID, events...)
}

// Evaluation is an evaluation run that ended.
type Evaluation struct {
	Workspace, Report, Run int64
	Name                   string
	// Score is nil without one.
	Score *float64
	// Failed is the number of cells that failed.
	Failed int64
}

// EvaluationEnded tells webhooks about the end of an evaluation run.
func EvaluationEnded(ctx context.Context, db *engine.DB, e Evaluation) error {
	details := func(ctx context.Context) (webhook.Details, error) {
		name, err := nameOf(ctx, db, e.Report)
		made := webhook.Details{"report_id": e.Report, "report_name": name, "run_id": e.Run, "run_name": e.Name, "score": nil, "failed_cells": e.Failed}
		if e.Score != nil {
			made["score"] = *e.Score
		}
		return made, err
	}
	return Emit(ctx, db, e.Workspace,
		Event{Type: webhook.EvaluationFinished, Details: details}, Event{Type: webhook.ScoreBelow, Score: e.Score, Details: details})
}

// TestStopped tells webhooks about an A/B test that its guard has stopped.
func (s *Store) TestStopped(ctx context.Context, t webhook.StoppedTest) error {
	return Emit(ctx, s.db, t.Workspace, Event{Type: webhook.TestStopped, Details: aboutEntity(s.db, t.Prompt, webhook.Details{
		"ab_test_id": t.Test, "label": t.Label, "version_number": t.Version, "baseline_version_number": t.Baseline, "reason": t.Reason,
	})})
}

// aboutEntity returns what identifies an entity, and more. A skill collection is
// known by its UUID only.
func aboutEntity(db *engine.DB, id int64, more webhook.Details) func(ctx context.Context) (webhook.Details, error) {
	return func(ctx context.Context) (webhook.Details, error) {
		details, err := engine.QueryOne(ctx, db, func(r engine.Row) (webhook.Details, error) {
			var e entity.Entity
			err := r.Scan(&e.Kind, &e.Name, &e.Variant, engine.NullText(&e.UUID))
			found := webhook.Details{"type": string(e.Type()), "id": id, "name": e.Name}
			if e.Kind == entity.KindSkill {
				found["uuid"] = e.UUID
			}
			return found, err
		}, `
SELECT kind, name, variant, uuid
FROM entity
WHERE id = $1`, id)
		if err != nil {
			return nil, err
		}
		maps.Copy(details, more)
		return details, nil
	}
}

func nameOf(ctx context.Context, db *engine.DB, entityID int64) (string, error) {
	return engine.QueryOne(ctx, db, engine.ScanString, `
SELECT name
FROM entity
WHERE id = $1`, entityID)
}
