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

// operation is one durable change that the table and the text index still
// lack: a new log, or an annotation of an older one.
type operation struct {
	log    *reqlog.Log
	id     int64
	change reqlog.Annotation
	size   int
	place  place
}

// place is where a record stands in the journal.
type place struct {
	block journal.Position
	slot  int64 // counts the records of the block
}

func (p place) next() place { return place{p.block, p.slot + 1} }

func (p place) before(other place) bool {
	return p.block < other.block || p.block == other.block && p.slot < other.slot
}

// commit is a set of records that become durable together.
type commit struct {
	records    [][]byte
	operations []operation
	done       chan error
}

// maxPendingBytes bounds what is durable but not yet applied. Writers wait
// when it is reached, so memory stays bounded if DuckDB falls behind.
const maxPendingBytes = 64 << 20

// retryAfter is what clients are told when the disk refuses writes.
const retryAfter = 5 * time.Second

// Append implements reqlog.Store.
func (s *Store) Append(ctx context.Context, logs []*reqlog.Log) error {
	c := &commit{done: make(chan error, 1)}
	for _, l := range logs {
		encoded, err := appendLog(make([]byte, 0, recordSize(l)), l)
		if err != nil {
			return err
		}
		c.records = append(c.records, encoded)
		c.operations = append(c.operations, operation{log: l, id: l.ID, size: len(encoded)})
	}
	return s.commit(ctx, c)
}

// recordSize is about how large a log's record becomes.
func recordSize(l *reqlog.Log) int {
	return 1024 + len(l.Input) + len(l.Output) + len(l.Parameters) + len(l.Index.InputText) + len(l.Index.OutputText)
}

// Annotate implements reqlog.Store.
func (s *Store) Annotate(ctx context.Context, workspace, id int64, change reqlog.Annotation) error {
	if _, err := s.record(workspace, id); err != nil {
		return err
	}
	encoded, err := appendAnnotation(nil, workspace, id, change)
	if err != nil {
		return err
	}
	return s.commit(ctx, &commit{
		records:    [][]byte{encoded},
		operations: []operation{{id: id, change: change, size: len(encoded)}},
		done:       make(chan error, 1),
	})
}

func (s *Store) commit(ctx context.Context, c *commit) error {
	select {
	case s.commits <- c:
	case <-s.closing:
		return errClosing()
	case <-ctx.Done():
		return ctx.Err()
	}
	// From here the records may become durable, so the outcome is awaited.
	select {
	case err := <-c.done:
		return err
	case <-s.committed:
	}
	select {
	case err := <-c.done:
		return err
	default: // it was handed over when nobody took it any more
		return errClosing()
	}
}

func errClosing() error { return fault.Busy(retryAfter, nil, "The server is shutting down") }

// commitLoop makes commits durable, as many at once as are waiting.
func (s *Store) commitLoop() {
	defer close(s.committed)
	for {
		select {
		case first := <-s.commits:
			s.commitGroup(first)
			continue
		case <-s.closing:
		}
		for len(s.commits) > 0 {
			s.commitGroup(<-s.commits)
		}
		return
	}
}

func (s *Store) commitGroup(first *commit) {
	group := []*commit{first}
	for len(s.commits) > 0 && len(group) < cap(s.commits) {
		group = append(group, <-s.commits)
	}
	err := s.write(group)
	for _, c := range group {
		c.done <- err
	}
}

func (s *Store) write(group []*commit) error {
	if err := s.ready(); err != nil {
		return err
	}
	var records [][]byte
	var operations []operation
	for _, c := range group {
		records = append(records, c.records...)
		operations = append(operations, c.operations...)
	}
	positions, err := s.journal.Append(records)
	if err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range operations {
		op := &operations[i]
		op.place.block = positions[i]
		if i > 0 && positions[i] == positions[i-1] {
			op.place.slot = operations[i-1].place.slot + 1
		}
		if op.log != nil {
			s.blocks.add(op.id, positions[i])
			s.owners.add(op.log.Workspace)
		} else {
			s.annotated.add(op.id)
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

func (s *Store) roomOnDisk() error {
	if s.opts.MinFreeMB < 0 {
		return nil
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(s.dir, &stat); err != nil {
		return fault.Busy(retryAfter, err, "Cannot write to the data folder: %s", reason(err))
	}
	free := stat.Bavail * uint64(stat.Bsize)
	if free < uint64(s.opts.MinFreeMB)<<20 {
		return fault.Busy(retryAfter, nil, "The disk of the data folder is full: %d MB are free, %d MB must stay free", free>>20, s.opts.MinFreeMB)
	}
	return nil
}

// reason names a cause that an operator can mend, and nothing else.
func reason(err error) string {
	for _, known := range []error{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.EMFILE, unix.EFBIG} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "the storage engine refuses writes"
}

// record reads the record of a log of the workspace from the journal.
func (s *Store) record(workspace, id int64) (record, error) {
	r, err := s.find(id)
	if err == nil && r.workspace() != workspace {
		return nil, errNoLog()
	}
	return r, err
}

func errNoLog() error { return fault.NotFoundf("Request not found") }

// find reads the record of a log, whosever it is, from the journal.
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
