// Package importer brings request logs from files into a workspace, and objects and
// request logs from other servers. A file is uploaded in parts and kept in the catalog
// until its import has ended, so that any server can go on with it. A first job checks
// every row and writes nothing; a second one writes the logs. It can be interrupted at
// any time: each log says which row it comes from, so that no row is written twice.
package importer

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/importer/source"
)

// State is how far an import is.
type State string

// The states.
const (
	// Uploading takes parts of the file, and changes of how to read it.
	Uploading State = "uploading"
	// Checking means that a job checks the rows.
	Checking State = "checking"
	// Checked waits for the start.
	Checked State = "checked"
	// Running means that a job writes the logs.
	Running   State = "running"
	Done      State = "done"
	Cancelled State = "cancelled"
	Failed    State = "failed"
)

// Import is the import of a file.
type Import struct {
	ID        int64
	Workspace int64
	// Name is the name of the file.
	Name string
	// Options say how to read the file.
	Options source.Options
	State   State
	// Failure is why the check or the import failed, "" otherwise.
	Failure string
	// Parts is the number of parts of the file, and Size their size in bytes.
	Parts, Size int64
	// Hash is the SHA-256 of the file, "" until it was checked.
	Hash string
	// SkipRefused says that rows that are refused do not prevent the import.
	SkipRefused bool
	// Check is the outcome of the check, and Run that of the import until now.
	Check, Run Progress
	CreatedBy  *string
	CreatedAt  time.Time
	// EndedAt is nil until the import has ended.
	EndedAt *time.Time
}

// Active reports whether there is a job for it.
func (i *Import) Active() bool { return i.State == Checking || i.State == Running }

// Open reports whether the file is still kept.
func (i *Import) Open() bool { return i.EndedAt == nil }

// Part returns which part of its job is done, from 0 to 1.
func (i *Import) Part() float64 {
	done := i.Run.Bytes
	if i.State == Checking {
		done = i.Check.Bytes
	}
	if !i.Active() || i.Size == 0 {
		return 1
	}
	return min(float64(done)/float64(i.Size), 1)
}

// Progress counts what was done.
type Progress struct {
	// Format is that of the file.
	Format source.Format `json:"format,omitempty"`
	// Bytes is how much of the file was read.
	Bytes int64 `json:"bytes"`
	// Rows is the number of rows that were read. Each is counted once below.
	Rows int64 `json:"rows"`
	// Accepted rows became logs, or would.
	Accepted int64 `json:"accepted"`
	// Refused rows are not valid logs, Ignored ones are no requests, and Existing
	// ones are in the workspace already.
	Refused  int64 `json:"refused"`
	Ignored  int64 `json:"ignored"`
	Existing int64 `json:"existing"`
	// Unlinked is the number of accepted rows whose prompt the workspace does not
	// have.
	Unlinked int64 `json:"unlinked"`
	// First are the first entries of the report.
	First []Entry `json:"first,omitempty"`
	// Reports is the number of parts of the report.
	Reports int64 `json:"reports"`
	// Commits is the number of commits of logs, and LastID the id of the last log.
	Commits int64 `json:"commits"`
	LastID  int64 `json:"last_id"`
	// Server is how far an import from a server is, nil for files.
	Server *ServerProgress `json:"server,omitempty"`
}

// Note says what became of a row.
type Note string

// The notes. Rows that became logs without any remark have none.
const (
	NoteRefused  Note = "refused"
	NoteIgnored  Note = "ignored"
	NoteExisting Note = "existing"
	NoteUnlinked Note = "unlinked"
)

// Entry is an entry of the report: a row with a remark.
type Entry struct {
	Row    int64  `json:"row"`
	Line   int64  `json:"line"`
	ID     string `json:"id,omitempty"`
	Status Note   `json:"status"`
	Reason string `json:"reason"`
}

// Content is what a part in the store belongs to.
type Content string

// The contents.
const (
	// FileContent is the file.
	FileContent Content = "file"
	// CheckReport and RunReport are the reports of the check and of the import.
	CheckReport Content = "check"
	RunReport   Content = "run"
	// KeyContent is the sealed API key of another server, PlanContent what is imported
	// from it, and LinkContent which ids and versions became which.
	KeyContent  Content = "key"
	PlanContent Content = "plan"
	LinkContent Content = "links"
)

// Store stores imports. Its methods join the transaction of the context.
type Store interface {
	// InTx calls fn in a transaction.
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	// CreateImport stores an import and returns it with its id.
	CreateImport(ctx context.Context, i Import) (Import, error)
	// GetImport returns an import, or a NotFound fault.
	GetImport(ctx context.Context, workspace, id int64) (Import, error)
	// ListImports returns imports of a workspace, the newest first, and their number.
	ListImports(ctx context.Context, workspace int64, offset, limit int) ([]Import, int64, error)
	// CountOpenImports returns the number of imports of a workspace that have not
	// ended.
	CountOpenImports(ctx context.Context, workspace int64) (int64, error)
	// FindImportByHash returns an import of the file with the hash that runs or is
	// done, other than the one with the id, or a NotFound fault.
	FindImportByHash(ctx context.Context, workspace, id int64, hash string) (Import, error)
	// SaveImport stores everything that can change of an import that is in the state
	// from, and adds an audit entry unless the action is "". The fault is Conflict if
	// it is in another state, or if it becomes active and the workspace has another one
	// that is.
	SaveImport(ctx context.Context, from State, i Import, action audit.Action) error
	// NoteImport adds an audit entry.
	NoteImport(ctx context.Context, i Import, action audit.Action) error
	// DeleteImport deletes an import that is not active, with its parts. The fault is
	// Conflict if it is active.
	DeleteImport(ctx context.Context, i Import) error
	// PutPart stores a part of a content, and replaces the one with the same number.
	PutPart(ctx context.Context, id int64, content Content, number int64, text []byte) error
	// GetPart returns a part, or a NotFound fault.
	GetPart(ctx context.Context, id int64, content Content, number int64) ([]byte, error)
	// DeleteParts deletes all parts of a content.
	DeleteParts(ctx context.Context, id int64, content Content) error
}
