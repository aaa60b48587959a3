// Package dataset stores tables of examples. A dataset group has numbered
// datasets, which are immutable, and at most one draft, which can be edited.
// Rows come from files, from request logs, or from another dataset.
package dataset

import (
	"context"
	"io"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// DraftNumber is the number of a draft.
const DraftNumber = -1

// Limits of one dataset.
const (
	// MaxColumns is the maximum number of columns of a dataset.
	MaxColumns = 2000
	// MaxFileRows is the maximum number of rows of one file.
	MaxFileRows = 2_000_000
	// MaxLogs is the maximum number of request logs per dataset.
	MaxLogs = 50_000
	// MaxFileSize is the maximum size of a file in bytes.
	MaxFileSize = 100 << 20
	// maxRowSize limits one row, in bytes. It allows for the largest request log.
	maxRowSize = 40 << 20
	// maxContentSize limits the stored size of a file, in which rows are padded up
	// to their last cell.
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
	// HasFilter reports whether the rows came from a stored filter, which can be
	// run again.
	HasFilter bool
	// Filter is that filter as JSON, nil if there is none.
	Filter []byte
	// Deleted reports whether the group was deleted. Its datasets remain readable
	// here.
	Deleted bool
	Creator *string
	// CreatorID is the account that had the creator's address at the time, nil if
	// there was none.
	CreatorID            *int64
	CreatedAt, UpdatedAt time.Time
	// ExternalIDs are those of the group; only lists set them.
	ExternalIDs []entity.ExternalID

	content int64
	// removals counts removals of rows, which moved other rows.
	removals int64
}

// Logs finds request logs and traces; *requests.Service implements it.
type Logs interface {
	Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error)
	Search(ctx context.Context, workspace int64, in requests.SearchInput) (requests.SearchResult, error)
	Trace(ctx context.Context, workspace int64, traceID string, limit int) (*reqlog.Trace, error)
}

// Reports finds the datasets that evaluations use.
type Reports interface {
	// ReportDatasets returns the datasets of an evaluation and of its runs, none
	// if the workspace has no such evaluation.
	ReportDatasets(ctx context.Context, workspace, report int64) ([]int64, error)
}

// Scratch is a temporary file. Close removes it.
type Scratch interface {
	io.ReadWriteSeeker
	io.Closer
	Truncate(size int64) error
}

// Options configure a Service.
type Options struct {
	Entities entity.Store
	Store    Store
	Logs     Logs
	// Reports is the source of lists by evaluation.
	Reports Reports
	// Scratch opens a new file.
	Scratch func() (Scratch, error)
	// Clock returns the current time, time.Now if nil.
	Clock func() time.Time
}

// Service implements the rules of datasets. It is safe for concurrent use.
type Service struct {
	entities entity.Store
	store    Store
	logs     Logs
	reports  Reports
	scratch  func() (Scratch, error)
	clock    func() time.Time
	// uploads and builds are the queues of files being received and of datasets
	// being written.
	uploads, builds *fair.Queue
}

const (
	// maxUploads limits the disk space of files being received. One workspace has
	// at most a quarter: slow clients hold their slots for long.
	maxUploads        = 16
	maxUploadsEach    = maxUploads / 4
	maxWaitingUploads = 20
	// maxBuilds limits the number of datasets of one workspace being written. One
	// slot is always left for other workspaces.
	maxBuilds        = 2
	maxWaitingBuilds = 1000
)

// NewService returns a service over the stores.
func NewService(o Options) *Service {
	s := &Service{
		entities: o.Entities, store: o.Store, logs: o.Logs, reports: o.Reports, scratch: o.Scratch, clock: o.Clock,
		uploads: fair.New(fair.Options{Slots: maxUploads, Each: maxUploadsEach, Waiting: maxWaitingUploads}),
		builds:  fair.New(fair.Options{Slots: maxBuilds + 1, Each: maxBuilds, Waiting: maxWaitingBuilds}),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	return s
}

// Uploads returns the queue of files being received.
func (s *Service) Uploads() *fair.Queue { return s.uploads }

// Builds returns the queue of datasets being written.
func (s *Service) Builds() *fair.Queue { return s.builds }
