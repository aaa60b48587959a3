package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// operation is a durable change that is not yet in the table and the text index:
// a new log, or an annotation of an older one.
type operation struct {
	log *reqlog.Log // nil for an annotation
	reqlog.Change
	size  int
	place journal.Place
}

// maxPendingBytes bounds what is durable but not yet applied, so that memory
// stays bounded if DuckDB falls behind. Writes wait when it is reached; large
// ones wait from half of it on, as Backlog says.
const maxPendingBytes = 128 << 20

// retryAfter is when clients should try again if writes are rejected.
const retryAfter = 5 * time.Second

// Write implements reqlog.Store.
func (s *Store) Write(ctx context.Context, batch reqlog.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	records, operations, err := encode(batch)
	if err != nil || len(records) == 0 {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.closed {
		return fault.Busy(retryAfter, nil, "The server is shutting down")
	}
	return s.commit(records, operations)
}

// encode returns the journal records of a batch, and the operations to apply
// once they are durable.
func encode(batch reqlog.Batch) (records [][]byte, operations []operation, err error) {
	for _, l := range batch.Logs {
		record, err := appendLog(make([]byte, 0, recordSize(l)), l)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, record)
		operations = append(operations, operation{log: l, Change: reqlog.Change{Workspace: l.Workspace, ID: l.ID}, size: len(record)})
	}
	for _, c := range batch.Changes {
		record, err := appendAnnotation(nil, c.Workspace, c.ID, c.Annotation)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, record)
		operations = append(operations, operation{Change: c, size: len(record)})
	}
	return records, operations, nil
}

// recordSize estimates the size of a log's record.
func recordSize(l *reqlog.Log) int {
	return 1024 + len(l.Input) + len(l.Output) + len(l.Parameters) + len(l.Index.InputText) + len(l.Index.OutputText)
}

// Backlog implements reqlog.Store.
func (s *Store) Backlog() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.applyErr != nil {
		return 0 // writes fail instead of waiting
	}
	return float64(s.bytes) / (maxPendingBytes / 2)
}

// Exists implements reqlog.Store.
func (s *Store) Exists(ctx context.Context, workspace, id int64) error {
	_, err := s.record(ctx, workspace, id)
	return err
}

// commit makes the records durable and queues the operations.
func (s *Store) commit(records [][]byte, operations []operation) error {
	if err := s.ready(); err != nil {
		return err
	}
	positions, err := s.journal.Append(records)
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range operations {
		op := &operations[i]
		op.place.Block = positions[i]
		if i > 0 && positions[i] == positions[i-1] {
			op.place.Slot = operations[i-1].place.Slot + 1
		}
		if op.log != nil {
			s.blocks.add(op.ID, positions[i])
			s.owners.add(op.log.Workspace)
		} else {
			s.annotated.add(op.ID)
		}
		s.bytes += int64(op.size)
	}
	s.pending = append(s.pending, operations...)
	s.appended += uint64(len(operations))
	signal(s.wake)
	if len(s.pending) >= applyRows {
		signal(s.urgent)
	}
	return nil
}

// ready waits for room in memory and checks for room on the disk.
func (s *Store) ready() error {
	s.mu.Lock()
	for s.bytes > maxPendingBytes && s.applyErr == nil {
		progress := s.progress
		s.mu.Unlock()
		<-progress
		s.mu.Lock()
	}
	err := s.applyErr
	s.mu.Unlock()
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	return s.roomOnDisk()
}

// roomOnDisk returns why there is no room for further logs, nil if there is.
func (s *Store) roomOnDisk() error {
	if s.opts.MinFreeMB < 0 {
		return nil
	}
	free, err := s.freeMB()
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	if free < uint64(s.opts.MinFreeMB) {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is full: %d MB are free, %d MB must stay free", free, s.opts.MinFreeMB)
	}
	return nil
}

// minSaveMB is the free space without which no checkpoint is tried, even if
// writes are not rejected on a full disk.
const minSaveMB = 4

// roomToSave reports whether there is room for a checkpoint, for which a part of
// the disk is kept free. Trying without room would make the table unusable, fail
// reads, and keep a server from starting on a full disk.
func (s *Store) roomToSave() bool {
	free, err := s.freeMB()
	return err == nil && free >= uint64(max(s.opts.MinFreeMB/4, minSaveMB))
}

func (s *Store) freeMB() (uint64, error) {
	var stat unix.Statfs_t
	err := unix.Statfs(s.dir, &stat)
	return stat.Bavail * uint64(stat.Bsize) >> 20, err
}

// reason returns the cause if an operator can fix it, and no internal details.
func reason(err error) string {
	for _, known := range []error{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.EMFILE, unix.EFBIG} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the storage engine refuses writes"
}

// record reads the record of a log of the workspace from the journal.
func (s *Store) record(ctx context.Context, workspace, id int64) (record, error) {
	r, err := s.find(id)
	switch {
	case errors.Is(err, journal.ErrDamaged):
		return nil, s.damagedLog(ctx, workspace, id, err)
	case err == nil && r.workspace() != workspace:
		return nil, errNoLog()
	}
	return r, err
}

func errNoLog() error { return fault.NotFoundf("Request not found") }

// find reads the record of a log in any workspace from the journal.
func (s *Store) find(id int64) (record, error) {
	s.mu.Lock()
	at, ok := s.blocks.find(id)
	s.mu.Unlock()
	if !ok {
		return nil, errNoLog()
	}
	block, err := s.journal.Read(at)
	if err != nil {
		return nil, fmt.Errorf("read log %d: %w", id, err)
	}
	for _, raw := range block.Records {
		if r := record(raw); r.valid() && r.kind() == recordLog && r.id() == id {
			return r, nil
		}
	}
	return nil, errNoLog()
}
