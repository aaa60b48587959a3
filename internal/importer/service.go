package importer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Kind is the kind of the jobs.
const Kind job.Kind = "import"

const (
	// MaxPart is the maximum size of a part of a file in bytes.
	MaxPart = 8 << 20
	// MaxFile is the maximum size of a file in bytes.
	MaxFile = 4 << 30
	// maxOpen is the maximum number of files of a workspace that are kept.
	maxOpen = 10
	// maxName limits the name of a file, and maxOption the names of columns and
	// default values.
	maxName   = 255
	maxOption = 1000
	// maxOptions limits the number of columns and of default values.
	maxOptions = 200
	// atOnce is the number of imports that a process works on at the same time.
	atOnce = 2
)

// Logs is the part of requests.Service that imports use.
type Logs interface {
	CheckImport(ctx context.Context, workspace int64, rows []requests.Imported) ([]requests.Outcome, error)
	Import(ctx context.Context, workspace int64, rows []requests.Imported) ([]requests.Outcome, error)
	ScanPart(ctx context.Context, workspace int64, in query.Input, after int64, limit int) (*query.Scanned, error)
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs  job.Queue
	Store Store
	Logs  Logs
	// Servers are for imports from other servers.
	Servers Servers
	// Clock is time.Now if nil.
	Clock func() time.Time
}

// Service has the rules of imports. It is safe for concurrent use.
type Service struct {
	store   Store
	logs    Logs
	servers Servers
	clock   func() time.Time
	jobs    job.Queue
	// turns shares the imports at the same time between workspaces.
	turns *fair.Queue
	// batchRows is the number of rows that are written at once.
	batchRows int
}

// defaultBatchRows is enough for speed, and few enough that others hardly wait.
const defaultBatchRows = 500

// NewService returns a service.
func NewService(o Options) *Service {
	s := &Service{jobs: o.Jobs, store: o.Store, logs: o.Logs, servers: o.Servers, clock: o.Clock, turns: fair.New(fair.Options{Slots: atOnce}), batchRows: defaultBatchRows}
	if s.clock == nil {
		s.clock = time.Now
	}
	return s
}

// Create begins the import of a file. The fault is Invalid or BadRequest for wrong
// options, Forbidden if the caller may not manage data, and Conflict if the workspace
// has too many files.
func (s *Service) Create(ctx context.Context, workspace int64, name string, options source.Options, author *string) (Import, error) {
	if err := checkOptions(name, &options); err != nil {
		return Import{}, err
	}
	if err := access.Require(ctx, access.ManageData); err != nil {
		return Import{}, err
	}
	if err := s.checkOpen(ctx, workspace); err != nil {
		return Import{}, err
	}
	return s.store.CreateImport(ctx, Import{Workspace: workspace, Name: name, Options: options, State: Uploading, CreatedBy: author, CreatedAt: s.clock()})
}

// checkOpen refuses another import if there are too many.
func (s *Service) checkOpen(ctx context.Context, workspace int64) error {
	open, err := s.store.CountOpenImports(ctx, workspace)
	if err == nil && open >= maxOpen {
		err = fault.Conflictf("The workspace has %d imports that have not ended: delete one first", open)
	}
	return err
}

// checkOptions checks what a client sends about a file.
func checkOptions(name string, o *source.Options) error {
	if name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsRune(name, 0) {
		return fault.BadRequestf("The name of the file should have from 1 to %d characters", maxName)
	}
	for _, of := range []map[string]string{o.Columns, o.Defaults} {
		if len(of) > maxOptions {
			return fault.BadRequestf("There are more than %d columns or default values", maxOptions)
		}
		for field, value := range of {
			if max(utf8.RuneCountInString(field), utf8.RuneCountInString(value)) > maxOption || strings.ContainsRune(field+value, 0) {
				return fault.BadRequestf("Names of columns and default values should have at most %d characters, and no NUL", maxOption)
			}
		}
	}
	return o.Check()
}

// Get returns an import. The fault is NotFound or Forbidden.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Import, error) {
	i, err := s.store.GetImport(ctx, workspace, id)
	if err != nil {
		return i, err
	}
	return i, access.Require(ctx, access.ManageData)
}

// List returns imports, the newest first, and their number.
func (s *Service) List(ctx context.Context, workspace int64, offset, limit int) ([]Import, int64, error) {
	if err := access.Require(ctx, access.ManageData); err != nil {
		return nil, 0, err
	}
	return s.store.ListImports(ctx, workspace, offset, limit)
}

// errState is the fault for an import in a state in which something is impossible.
func errState(i *Import, what string) error {
	return fault.Conflictf("The import is %s: %s", i.State, what)
}

// Upload stores a part of the file. Parts have consecutive numbers from 1; the last
// one may be sent again. The fault is NotFound, Forbidden, BadRequest or Conflict.
func (s *Service) Upload(ctx context.Context, workspace, id, number int64, part []byte) (i Import, err error) {
	if i, err = s.Get(ctx, workspace, id); err != nil {
		return i, err
	}
	if len(part) == 0 || len(part) > MaxPart {
		return i, fault.BadRequestf("A part should have from 1 to %d bytes", MaxPart)
	}
	packed := pack(part)
	err = s.store.InTx(ctx, func(ctx context.Context) error {
		if i, err = s.store.GetImport(ctx, workspace, id); err != nil {
			return err
		}
		switch {
		case i.Options.Server != nil:
			return errState(&i, "it is from a server, and takes no file")
		case i.State != Uploading:
			return errState(&i, "the file is already complete")
		case number == i.Parts && number > 0:
			return s.repeated(ctx, &i, part)
		case number != i.Parts+1:
			return fault.Conflictf("The import has %d parts: the next one is %d", i.Parts, i.Parts+1)
		case i.Size+int64(len(part)) > MaxFile:
			return fault.BadRequestf("The file is larger than %d bytes: compress it, or split it", int64(MaxFile))
		}
		i.Parts, i.Size = number, i.Size+int64(len(part))
		if err := s.store.PutPart(ctx, id, FileContent, number, packed); err != nil {
			return err
		}
		return s.store.SaveImport(ctx, Uploading, i, "")
	})
	return i, err
}

// repeated accepts the last part again, as a client sends it that did not get the
// answer.
func (s *Service) repeated(ctx context.Context, i *Import, part []byte) error {
	packed, err := s.store.GetPart(ctx, i.ID, FileContent, i.Parts)
	if err != nil {
		return err
	}
	stored, err := unpack(packed)
	if err == nil && !bytes.Equal(stored, part) {
		return fault.Conflictf("Part %d was sent before with another content", i.Parts)
	}
	return err
}

// Change changes how to read the file. The fault is NotFound, Forbidden, Invalid,
// BadRequest or Conflict.
func (s *Service) Change(ctx context.Context, workspace, id int64, options source.Options) (Import, error) {
	i, err := s.Get(ctx, workspace, id)
	if err != nil {
		return i, err
	}
	if err := checkOptions(i.Name, &options); err != nil {
		return i, err
	}
	if i.State != Uploading && i.State != Checked || i.Options.Server != nil {
		return i, errState(&i, "how to read it cannot be changed")
	}
	from := i.State
	i.Options, i.State, i.Failure, i.Check = options, Uploading, "", Progress{}
	return i, s.store.SaveImport(ctx, from, i, "")
}

// Preview is what the beginning of a file looks like.
type Preview struct {
	Format  source.Format
	Columns []string
	// Mapping has the columns of a table by field.
	Mapping map[string]string
	// Rows are the first rows.
	Rows []PreviewRow
	// Failure is why the file cannot be read, "" if it can.
	Failure string
}

// PreviewRow is a row of a preview. Either Log is set, or Entry says what is wrong.
type PreviewRow struct {
	source.Row
	Entry *Entry
}

// previewRows is the number of rows of a preview.
const previewRows = 5

// Preview reads the first rows of the file, without storing anything.
func (s *Service) Preview(ctx context.Context, workspace, id int64) (Preview, error) {
	i, err := s.Get(ctx, workspace, id)
	if err != nil {
		return Preview{}, err
	}
	if !i.Open() || i.Parts == 0 || i.Options.Server != nil {
		return Preview{}, errState(&i, "there is no file to show")
	}
	var p Preview
	r, err := source.NewReader(newPartReader(ctx, s.store, i.ID, FileContent, i.Parts), i.Options)
	if r != nil {
		p.Format, p.Columns, p.Mapping = r.Format(), r.Columns(), r.Mapping()
	}
	for err == nil && len(p.Rows) < previewRows {
		var row source.Row
		if row, err = r.Next(); err == nil {
			_, entry := decode(row)
			p.Rows = append(p.Rows, PreviewRow{row, entry})
		}
	}
	if wrong, ok := errors.AsType[*fault.Error](err); ok && wrong.Kind == fault.BadRequest {
		p.Failure, err = wrong.Message, nil
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return p, err
}

// StartCheck starts to check all rows. Nothing is written.
func (s *Service) StartCheck(ctx context.Context, workspace, id int64) (Import, error) {
	i, err := s.Get(ctx, workspace, id)
	switch {
	case err != nil:
		return i, err
	case i.State != Uploading && i.State != Checked:
		return i, errState(&i, "it cannot be checked")
	case i.Parts == 0 && i.Options.Server == nil:
		return i, fault.Conflictf("The import has no file yet")
	}
	from := i.State
	i.State, i.Failure, i.Check, i.Hash = Checking, "", Progress{}, ""
	return i, s.addJob(ctx, from, i, "")
}

// Start starts to write the logs of a file that was checked. The fault is Conflict
// if rows were refused and the caller does not want to skip them, or if the file was
// imported before and the caller does not want to do it again.
func (s *Service) Start(ctx context.Context, workspace, id int64, skipRefused, again bool) (Import, error) {
	i, err := s.Get(ctx, workspace, id)
	switch {
	case err != nil:
		return i, err
	case i.State != Checked:
		return i, errState(&i, "it has to be checked first")
	case i.Options.Server != nil:
		err = requireParts(ctx, i.Options.Server) // another than the creator may start it
	}
	switch {
	case err != nil:
		return i, err
	case i.Check.Refused > 0 && !skipRefused:
		return i, fault.Conflictf("%d of %d rows are refused: correct them, or skip them", i.Check.Refused, i.Check.Rows)
	case i.Check.Accepted == 0:
		return i, fault.Conflictf("There is nothing to import")
	}
	if !again && i.Hash != "" {
		other, err := s.store.FindImportByHash(ctx, workspace, id, i.Hash)
		if err == nil {
			return i, fault.Conflictf("The file was imported before, by import %d", other.ID)
		}
		if !fault.Is(err, fault.NotFound) {
			return i, err
		}
	}
	i.State, i.SkipRefused = Running, skipRefused
	return i, s.addJob(ctx, Checked, i, audit.Import)
}

// addJob saves an import that became active, with its job.
func (s *Service) addJob(ctx context.Context, from State, i Import, action audit.Action) error {
	return s.jobs.Add(ctx, job.Job{Workspace: i.Workspace, Kind: Kind}, s.store.InTx, func(ctx context.Context) (int64, error) {
		return i.ID, s.store.SaveImport(ctx, from, i, action)
	})
}

// Cancel ends the check or the import; has no effect if none runs. Logs that were
// written stay.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Import, error) {
	i, err := s.Get(ctx, workspace, id)
	if err != nil || !i.Active() {
		return i, err
	}
	return i, s.store.InTx(ctx, func(ctx context.Context) error {
		found, err := s.jobs.Cancel(ctx, workspace, Kind, id)
		if err != nil || !found { // it has ended
			return err
		}
		return s.store.NoteImport(ctx, i, audit.Cancel)
	})
}

// Delete deletes an import with its file and reports. Logs that were written stay.
// The fault is Conflict while a job runs.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	i, err := s.Get(ctx, workspace, id)
	switch {
	case err != nil:
		return err
	case i.Active():
		return errState(&i, "cancel it first")
	}
	return s.store.DeleteImport(ctx, i)
}

// Report returns the report as lines of JSON: that of the import, or that of the
// check if the import was not started.
func (s *Service) Report(ctx context.Context, workspace, id int64) (io.Reader, error) {
	i, err := s.Get(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	if i.Run.Rows > 0 || i.State == Running {
		return newPartReader(ctx, s.store, i.ID, RunReport, i.Run.Reports), nil
	}
	return newPartReader(ctx, s.store, i.ID, CheckReport, i.Check.Reports), nil
}

// MarkKey is the key of the metadata that says which import a log comes from.
const MarkKey = "import"

// filterOf returns the filters that find the logs of an import.
func filterOf(id int64) string {
	return fmt.Sprintf(`{"field":"metadata","operator":"key_equals","nested_key":"%s.id","value":"%d"}`, MarkKey, id)
}
