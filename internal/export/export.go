// Package export writes what queries find to files: request logs, traces, datasets,
// results of evaluations and the audit log. Everything is read part by part, so that
// an export of any size takes the memory of a part.
package export

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Options configure a Service.
type Options struct {
	Store       Store
	Logs        *requests.Service
	Datasets    *dataset.Service
	Evaluations *eval.Service
	Audit       *audit.Service
	// Settled returns an id up to which no further request log is written. It is nil if
	// one server writes all of them, in the order of their ids.
	Settled func(ctx context.Context) (int64, error)
	// AuditDelay is longer than any transaction takes that writes an audit entry, which
	// is visible only then, with a lower id than entries of transactions that ended sooner. It
	// is 0 if there is one transaction at a time.
	AuditDelay time.Duration
}

// Store stores what is known about exports.
type Store interface {
	// NoteExport adds an export to the audit log of the workspace, or of the
	// installation if it is nil.
	NoteExport(ctx context.Context, workspace *int64, n Note) error
}

// Note is an export in the audit log.
type Note struct {
	audit.Subject
	// Query is the query of the client as JSON, nil if there is none.
	Query       json.RawMessage
	Format      format.Format
	Compression format.Compression
	// Columns are the columns that were chosen, nil for all.
	Columns []string
	// After is the id that the logs are behind, nil for all.
	After *int64
}

// Service exports. It is safe for concurrent use.
type Service struct {
	store       Store
	logs        *requests.Service
	datasets    *dataset.Service
	evaluations *eval.Service
	audit       *audit.Service
	settled     func(ctx context.Context) (int64, error)
	auditDelay  time.Duration
	slots       *fair.Queue
}

// The number of exports at the same time: in total, of a workspace, and waiting.
const (
	maxExports  = 8
	maxEach     = 2
	maxWaiting  = 20
	rowsBetween = 1000 // rows between looks at the context
)

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: o.Store, logs: o.Logs, datasets: o.Datasets, evaluations: o.Evaluations, audit: o.Audit, settled: o.Settled, auditDelay: o.AuditDelay,
		slots: fair.New(fair.Options{Slots: maxExports, Each: maxEach, Waiting: maxWaiting}),
	}
}

// Queue returns the queue of the exports.
func (s *Service) Queue() *fair.Queue { return s.slots }

// File says how to write an export.
type File struct {
	format.Options
	// Columns are the names of the columns, in order; none for all.
	Columns []string `json:"columns,omitempty"`
}

// Result is what an export has written.
type Result struct {
	Rows int64
	// Damaged is the number of rows that can no longer be read, and were left out.
	Damaged int64
}

// table is a source of rows.
type table struct {
	columns []format.Column
	// rows calls each with all rows. It returns the number of rows that can no longer
	// be read. A row has a value for each column, and is used again for the next.
	rows func(ctx context.Context, each func(row []format.Value) error) (damaged int64, err error)
}

// Export is an export that has been checked and noted in the audit log.
type Export struct {
	// Name is a good name for the file.
	Name string
	// LastID is the highest id of a request log that can be in the export, nil for
	// other exports.
	LastID *int64
	File

	service   *Service
	workspace int64
	table     table
	picked    []int // the indexes of the chosen columns
}

// newExport checks the columns and notes the export.
func (s *Service) newExport(ctx context.Context, workspace *int64, t table, file File, note Note) (*Export, error) {
	e := &Export{File: file, service: s, table: t}
	if workspace != nil {
		e.workspace = *workspace
	}
	if err := e.pick(); err != nil {
		return nil, err
	}
	note.Format, note.Compression, note.Columns = file.Format, file.Compression, file.Columns
	if err := s.store.NoteExport(ctx, workspace, note); err != nil {
		return nil, err
	}
	e.Name = fileName(note.Name)
	return e, nil
}

// part returns an export that is not noted, because it is a part of another one.
func (s *Service) part(workspace int64, t table, file File) (*Export, error) {
	e := &Export{File: file, service: s, table: t, workspace: workspace}
	return e, e.pick()
}

// maxName is the length of names of files, in bytes.
const maxName = 100

// fileName returns a name as that of a file: what is neither a letter nor a digit in
// ASCII becomes a hyphen.
func fileName(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_'
	})
	if name = strings.Join(parts, "-"); name == "" {
		return "export"
	}
	return name[:min(len(name), maxName)]
}

// pick finds the chosen columns. The fault is Invalid if the column does not exist, or
// one is named twice.
func (e *Export) pick() error {
	var problems fault.Problems
	for i, name := range e.Columns {
		at := slices.IndexFunc(e.table.columns, func(c format.Column) bool { return c.Name == name })
		switch {
		case at < 0:
			problems.Add([]any{"query", "columns"}, "value_error", "There is no column %s", name)
		case slices.Contains(e.Columns[:i], name):
			problems.Add([]any{"query", "columns"}, "value_error", "The column %s is named twice", name)
		}
		e.picked = append(e.picked, at)
	}
	if len(e.Columns) == 0 {
		for i := range e.table.columns {
			e.picked = append(e.picked, i)
		}
	}
	return problems.Err()
}

// FileName returns the name of the file.
func (e *Export) FileName() string { return e.Name + e.Extension() }

// Write writes the file. It waits for its turn among the exports of all workspaces
// first. If it returns an error, what was written is not complete.
func (e *Export) Write(ctx context.Context, to io.Writer) (Result, error) {
	end, err := e.service.slots.Acquire(ctx, e.workspace)
	if err != nil {
		return Result{}, err
	}
	defer end()
	return e.table.write(ctx, to, e.picked, e.Options)
}

// write writes some columns of the table.
func (t *table) write(ctx context.Context, to io.Writer, picked []int, o format.Options) (r Result, err error) {
	columns := make([]format.Column, len(picked))
	for i, at := range picked {
		columns[i] = t.columns[at]
	}
	out, err := format.NewWriter(to, columns, o)
	if err != nil {
		return r, err
	}
	row := make([]format.Value, len(picked))
	r.Damaged, err = t.rows(ctx, func(all []format.Value) error {
		for i, at := range picked {
			row[i] = all[at]
		}
		if out.Count()%rowsBetween == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return out.Write(row)
	})
	r.Rows = out.Count()
	if err != nil {
		return r, err
	}
	return r, out.Close()
}
