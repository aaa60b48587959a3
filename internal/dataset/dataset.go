// Package dataset keeps tables of examples. A dataset group has numbered
// datasets, which never change, and at most one draft that rows are added to.
// Rows come from files, from request logs, or from another dataset.
package dataset

import (
	"context"
	"io"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// DraftNumber is the number of a draft.
const DraftNumber = -1

// Bounds on one dataset.
const (
	// MaxColumns is how many columns a dataset can have.
	MaxColumns = 2000
	// MaxFileRows is how many rows can come from one file.
	MaxFileRows = 2_000_000
	// MaxLogs is how many request logs can become rows at once.
	MaxLogs = 50_000
	// MaxFileSize is the size of the largest file, in bytes.
	MaxFileSize = 100 << 20
	// maxRowSize bounds one row, in bytes. It holds the largest request log.
	maxRowSize = 40 << 20
	// maxContentSize bounds what a file takes once each row has a cell for
	// each column to the left of its last one.
	maxContentSize = 512 << 20
)

// Dataset is one dataset of a group: a numbered one or its draft.
type Dataset struct {
	ID, GroupID int64
	Workspace   int64
	GroupName   string
	// Number is DraftNumber for a draft.
	Number   int64
	Columns  []string
	RowCount int64
	// HasFilter says that the rows are those that a stored filter found, so
	// that it can be run again.
	HasFilter bool
	// Filter is that filter as JSON, nil where there is none.
	Filter []byte
	// Deleted says that the group was deleted. Its datasets stay readable here.
	Deleted bool
	Creator *string
	// CreatorID is the account that had the creator's address then, nil where
	// none had.
	CreatorID            *int64
	CreatedAt, UpdatedAt time.Time
	// ExternalIDs are those of the group; only a list fills them in.
	ExternalIDs []entity.ExternalID

	content int64
	// removals counts how often rows were removed, which moved others.
	removals int64
}

// Logs is where request logs are found; *reqlog.Service is one.
type Logs interface {
	Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error)
	Search(ctx context.Context, workspace int64, in reqlog.SearchInput) (reqlog.SearchResult, error)
}

// Reports tells which datasets evaluations use.
type Reports interface {
	// ReportDatasets returns the datasets of an evaluation and of its runs,
	// none when the workspace has no such evaluation.
	ReportDatasets(ctx context.Context, workspace, report int64) ([]int64, error)
}

// Scratch is a file for what does not fit into memory. Close removes it.
type Scratch interface {
	io.ReadWriteSeeker
	io.Closer
	Truncate(size int64) error
}

// Options is what a Service is made of.
type Options struct {
	Entities entity.Store
	Store    Store
	Logs     Logs
	// Scratch opens a new file.
	Scratch func() (Scratch, error)
	// Clock is time.Now when nil.
	Clock func() time.Time
}

// Service has the rules of datasets. It is safe for concurrent use.
type Service struct {
	entities entity.Store
	store    Store
	logs     Logs
	reports  Reports
	scratch  func() (Scratch, error)
	clock    func() time.Time
	// uploads and builds hold a token for each file that is received, and for
	// each dataset that is being written.
	uploads, builds chan struct{}
}

const (
	// maxUploads bounds the disk that files take while they are received.
	maxUploads = 16
	// maxBuilds bounds how many datasets are written at once.
	maxBuilds = 2
)

// NewService returns a service over the stores.
func NewService(o Options) *Service {
	s := &Service{
		entities: o.Entities, store: o.Store, logs: o.Logs, scratch: o.Scratch, clock: o.Clock,
		uploads: make(chan struct{}, maxUploads), builds: make(chan struct{}, maxBuilds),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	return s
}

// UseReports lets lists ask which datasets evaluations use. It must be called
// before the service is used.
func (s *Service) UseReports(reports Reports) { s.reports = reports }
