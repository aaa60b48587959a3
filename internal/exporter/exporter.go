// Package exporter has saved exports: what is exported, how, where to, and when. A run
// of a saved export is a job, which writes files to a folder or a bucket. A file
// becomes visible as a whole, and the manifest of a run follows its last file, so that
// a run that breaks off leaves nothing that looks complete.
package exporter

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/export"
)

// Source is what is exported.
type Source string

// The sources.
const (
	Requests Source = "requests"
	Traces   Source = "traces"
	// Dataset is a version of a dataset, or the latest one.
	Dataset Source = "dataset"
	// Evaluation are the results of a run of an evaluation, or of the newest run.
	Evaluation Source = "evaluation"
	// Audit is the audit log of the workspace.
	Audit Source = "audit"
)

// Target is where files are written to.
type Target struct {
	// Address is the path of a folder, or s3://bucket/prefix.
	Address string `json:"address"`
	// Region and Endpoint are those of the service of a bucket, "" for the defaults.
	Region   string `json:"region,omitempty"`
	Endpoint string `json:"endpoint,omitempty"`
}

// Content is what people choose of a saved export.
type Content struct {
	Name string
	// Enabled says whether it follows its schedule.
	Enabled bool
	Source  Source
	// Query is a JSON object that selects what is exported: for requests and traces the
	// members of a search, which are filter_group, filters and q; dataset_id or
	// dataset_group_id; evaluation_id; the filters of the audit log.
	Query string
	File  export.File
	Target
	// Incremental says that a run exports the request logs or audit entries that no run
	// before has.
	Incremental bool
	Schedule
}

// Export is a saved export.
type Export struct {
	ID        int64
	Workspace int64
	Content
	// Sealed are the sealed credentials of the bucket, empty without any.
	Sealed []byte
	// NextAt is when it is due, nil for never.
	NextAt *time.Time
	// LastLog is the id of the last request log, or audit entry, that complete runs of
	// an incremental export cover.
	LastLog int64
	// LastRun is the newest run, nil without any.
	LastRun   *Run
	CreatedBy *string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// State is how far a run is.
type State string

// The states.
const (
	// Waiting has not begun, or failed and is tried again.
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Run is a run of a saved export.
type Run struct {
	ID        int64
	Export    int64
	Workspace int64
	State     State
	// Failure is why it failed, or why it waits for another attempt.
	Failure string
	// Scheduled says that it follows the schedule; otherwise somebody has started it.
	Scheduled bool
	Progress
	CreatedBy *string
	CreatedAt time.Time
	// EndedAt is nil until it has ended.
	EndedAt *time.Time
}

// Active reports whether there is a job for it.
func (r *Run) Active() bool { return r.EndedAt == nil }

// Part returns which part is done, from 0 to 1.
func (r *Run) Part() float64 {
	switch {
	case r.State == Done:
		return 1
	case r.Last <= r.After:
		return 0
	}
	return float64(r.Upto-r.After) / float64(r.Last-r.After)
}

// Progress is what a run has done.
type Progress struct {
	// Begun says that the range of ids is known. It never changes afterwards, so that
	// anyone who continues with the run writes the same files.
	Begun bool `json:"begun"`
	// After and Last are the range of ids, the first excluded; both are 0 for rows
	// without ids.
	After int64 `json:"after"`
	Last  int64 `json:"last"`
	// Listed is the id up to which manifests of runs before cover rows.
	Listed int64 `json:"listed,omitempty"`
	// Upto is the id up to which files are written.
	Upto int64 `json:"upto"`
	// Rows and Bytes are those of the files. Damaged is the number of rows that can no
	// longer be read.
	Rows    int64 `json:"rows"`
	Damaged int64 `json:"damaged"`
	Bytes   int64 `json:"bytes"`
	// Files are in the order of their ids.
	Files []File `json:"files,omitempty"`
	// Attempts is the number of failures since the last file, and RetryAt when the
	// next attempt is.
	Attempts int64      `json:"attempts,omitempty"`
	RetryAt  *time.Time `json:"retry_at,omitempty"`
}

// File is a file of a run.
type File struct {
	Name string `json:"name"`
	// Rows is nil if it is not known, because the process that wrote the file was lost.
	Rows  *int64 `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// Store stores saved exports and their runs. Its methods join the transaction of the
// context. The fault is NotFound for anything that the workspace does not have.
type Store interface {
	entity.Transactor
	// CreateExport stores an export with the credentials that seal returns for its id.
	// The fault is Conflict if the name is taken, and BadRequest if the workspace has
	// too many.
	CreateExport(ctx context.Context, e Export, seal func(id int64) []byte) (Export, error)
	GetExport(ctx context.Context, workspace, id int64) (Export, error)
	// ListExports returns the exports of a workspace by name.
	ListExports(ctx context.Context, workspace int64) ([]Export, error)
	// UpdateExport stores everything that can change of an export. The fault is
	// Conflict if the name is taken, or if a run is active and not alike: the files
	// would be others.
	UpdateExport(ctx context.Context, e Export, alike bool) (Export, error)
	// DeleteExport deletes an export with its runs. The fault is Conflict if one is
	// active.
	DeleteExport(ctx context.Context, e Export) error
	// DueExports returns exports that are due, of any workspace.
	DueExports(ctx context.Context, now time.Time, limit int) ([]Export, error)
	// AdvanceExport stores when an export is due next. It reports whether it was still
	// due at the time that e has, which is so for one of several servers only.
	AdvanceExport(ctx context.Context, e Export, next *time.Time) (bool, error)
	// SetLastLog stores up to which id complete runs cover rows.
	SetLastLog(ctx context.Context, e Export, last int64) error

	// CreateRun stores a run, with an entry of the audit log about the export. The
	// fault is Conflict if another run of the export is active. It keeps the newest
	// runs only.
	CreateRun(ctx context.Context, e Export, r Run) (Run, error)
	GetRun(ctx context.Context, workspace, id int64) (Run, error)
	// ListRuns returns a page of the runs of an export, the newest first, and their
	// number.
	ListRuns(ctx context.Context, workspace, export int64, page entity.Page) ([]Run, int64, error)
	// SaveRun stores the state and the progress of a run. Webhooks are told if it
	// failed.
	SaveRun(ctx context.Context, e Export, r Run) error
	// NoteRun adds an entry about an export to the audit log, and makes a process look
	// at its run soon.
	NoteRun(ctx context.Context, e Export, r Run, action audit.Action) error
}
