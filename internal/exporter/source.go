package exporter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/target"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// kind is how a source is exported.
type kind struct {
	// read reads a query. The fault is BadRequest or Invalid.
	read func(query string) (reader, error)
	// columns are the names of the columns, nil if they depend on the query.
	columns []string
	// prefix and last are for rows with ids, which are in the order in which they were
	// written: a run writes a file for each range of ids, and can be incremental. Rows
	// of other sources have no order in which a file could be continued, so that a run
	// writes one. The prefix begins the names of the files, last returns the id that a
	// run ends with if it begins now, and settled that of an incremental one.
	prefix        string
	last, settled func(ctx context.Context, from Exports, workspace int64) (int64, error)
	// needs are the permissions to export it, beside that to manage saved exports.
	needs []access.Permission
}

// reader returns what a query selects: the rows of a range of ids, or all rows of a
// source without ids. The fault is NotFound if the workspace does not have it.
type reader func(ctx context.Context, from Exports, workspace int64, ids query.Range, file export.File) (*export.Export, error)

// kinds are the sources.
var kinds = map[Source]kind{
	Requests: {
		read: readRequests, columns: export.LogColumns, prefix: target.Logs,
		last:    func(_ context.Context, from Exports, _ int64) (int64, error) { return from.LastID(), nil },
		settled: func(ctx context.Context, from Exports, _ int64) (int64, error) { return from.SettledID(ctx) },
	},
	Traces:     {read: readTraces, columns: export.SpanColumns},
	Dataset:    {read: readDataset},
	Evaluation: {read: readEvaluation},
	Audit: {
		read: readAudit, columns: export.AuditColumns, prefix: target.Audit, needs: []access.Permission{access.Admin},
		last: func(ctx context.Context, from Exports, workspace int64) (int64, error) {
			return from.LastEntry(ctx, workspace)
		},
		settled: func(ctx context.Context, from Exports, workspace int64) (int64, error) {
			return from.SettledEntry(ctx, workspace)
		},
	},
}

// hasIDs reports whether rows have ids.
func (k *kind) hasIDs() bool { return k.prefix != "" }

func readRequests(q string) (reader, error) {
	in, err := query.Read(q)
	return func(_ context.Context, from Exports, workspace int64, ids query.Range, file export.File) (*export.Export, error) {
		return from.LogPart(workspace, in, ids, file)
	}, err
}

func readTraces(q string) (reader, error) {
	in, err := query.ReadTraces(q)
	return func(_ context.Context, from Exports, workspace int64, _ query.Range, file export.File) (*export.Export, error) {
		return from.TracePart(workspace, in, file)
	}, err
}

func readDataset(q string) (reader, error) {
	var in struct {
		Dataset *int64 `json:"dataset_id"`
		Group   *int64 `json:"dataset_group_id"`
	}
	if !readMembers(q, &in) || (in.Dataset == nil) == (in.Group == nil) {
		return nil, badQuery("The query of a dataset is dataset_id, or dataset_group_id for the latest version")
	}
	return func(ctx context.Context, from Exports, workspace int64, _ query.Range, file export.File) (*export.Export, error) {
		if in.Group != nil {
			return from.LatestDatasetPart(ctx, workspace, *in.Group, file)
		}
		return from.DatasetPart(ctx, workspace, *in.Dataset, file)
	}, nil
}

func readEvaluation(q string) (reader, error) {
	var in struct {
		ID *int64 `json:"evaluation_id"`
	}
	if !readMembers(q, &in) || in.ID == nil {
		return nil, badQuery("The query of an evaluation is evaluation_id, the id of a run, or of an evaluation for its newest run")
	}
	return func(ctx context.Context, from Exports, workspace int64, _ query.Range, file export.File) (*export.Export, error) {
		return from.EvaluationPart(ctx, workspace, *in.ID, file)
	}, nil
}

func readAudit(q string) (reader, error) {
	var in struct {
		ActorKind   string     `json:"actor_kind"`
		ActorID     *int64     `json:"actor_id"`
		Actor       string     `json:"actor"`
		Action      string     `json:"action"`
		SubjectKind string     `json:"subject_kind"`
		SubjectID   *int64     `json:"subject_id"`
		From        *time.Time `json:"from"`
		Until       *time.Time `json:"until"`
	}
	valid := readMembers(q, &in)
	for _, text := range []string{in.ActorKind, in.Actor, in.Action, in.SubjectKind} {
		_, ok := fault.TextRule(text, 0, maxName)
		valid = valid && ok
	}
	if !valid {
		return nil, badQuery("The query of the audit log can have actor_kind, actor_id, actor, action, subject_kind, subject_id, from and until, like its list")
	}
	wanted := audit.Query{
		ActorKind: audit.ActorKind(in.ActorKind), ActorID: in.ActorID, ActorName: in.Actor, Action: audit.Action(in.Action), SubjectKind: in.SubjectKind,
		SubjectID: in.SubjectID, From: in.From, Until: in.Until,
	}
	return func(_ context.Context, from Exports, workspace int64, ids query.Range, file export.File) (*export.Export, error) {
		return from.AuditPart(workspace, wanted, ids, file)
	}, nil
}

// readMembers reads a query that has no other members than a struct.
func readMembers(query string, into any) bool {
	read := json.NewDecoder(bytes.NewReader([]byte(query)))
	read.DisallowUnknownFields()
	if read.Decode(into) != nil {
		return false
	}
	_, err := read.Token()
	return errors.Is(err, io.EOF)
}

func badQuery(message string) error {
	var problems fault.Problems
	problems.Add(fault.In("query"), "value_error", "%s", message)
	return problems.Err()
}

// reader reads the query.
func (c *Content) reader() (reader, error) {
	of := kinds[c.Source]
	return of.read(c.Query)
}
