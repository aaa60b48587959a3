package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Report is what Verify and Repair found.
type Report struct {
	// Blocks, Bytes, Logs and Spans count what can be read from the journal. A span
	// that was sent twice counts twice.
	Blocks, Bytes, Logs, Spans int64
	// Interrupted is the size of an interrupted write at the end of the journal,
	// which is no damage.
	Interrupted int64
	// Damage lists the damaged parts of the journal.
	Damage []Damage
	// Lost are the logs that the table contains and the journal cannot return.
	Lost []table.Log
	// LostSpans are such spans.
	LostSpans []table.Span
	// Derived lists what is wrong with the table and the text index, which can
	// be rebuilt.
	Derived []string
	// Aside are the files that Repair has moved or created.
	Aside []string
	// Copying says that a copy of logs to the folder is not complete.
	Copying bool
}

// Sound reports whether nothing is wrong.
func (r *Report) Sound() bool {
	return len(r.Damage)+len(r.Lost)+len(r.LostSpans)+len(r.Derived) == 0 && !r.Copying
}

// Verify checks the store in dir, which nobody may have open, without changing
// it: every block of the journal, every block of the table and every file of the
// text index. It builds another table from the journal in a temporary folder and
// compares the two.
func Verify(ctx context.Context, dir string, opts Options) (*Report, error) {
	v := &verifier{dir: dir, opts: opts.withDefaults(), report: &Report{}}
	if _, err := os.Stat(filepath.Join(dir, journalFolder)); errors.Is(err, fs.ErrNotExist) {
		return v.report, nil // nothing was written yet
	}
	state, err := copyState(dir)
	if err != nil {
		return nil, err
	}
	v.report.Copying = state != nil
	err = v.run(ctx)
	return v.report, err
}

// verifier is one run of Verify.
type verifier struct {
	dir    string
	opts   Options
	report *Report
	// built is a store in a temporary folder that has read the journal.
	built *Store
	table *table.Inspection // nil if it cannot be used
}

func (v *verifier) run(ctx context.Context) (err error) {
	temporary, err := os.MkdirTemp("", "promptuary-verify-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close(), os.RemoveAll(temporary)) }()
	if err := v.inspect(ctx); err != nil {
		return err
	}
	if err := v.build(ctx, temporary); err != nil {
		return err
	}
	if err := v.checkText(ctx); err != nil {
		return err
	}
	if err := v.compare(ctx, temporary); err != nil {
		return err
	}
	return v.listLost(ctx)
}

func (v *verifier) close() error {
	var err error
	if v.table != nil {
		err = v.table.Close()
	}
	if v.built != nil {
		err = errors.Join(err, v.built.release())
	}
	return err
}

func (v *verifier) tableOptions() table.Options {
	return table.Options{MemoryMB: v.opts.MemoryMB, Threads: v.opts.Threads, Logger: v.opts.Logger}
}

// derived notes a problem of derived data.
func (v *verifier) derived(format string, args ...any) {
	v.report.Derived = append(v.report.Derived, fmt.Sprintf(format, args...))
}

// inspect opens the table.
func (v *verifier) inspect(ctx context.Context) (err error) {
	if _, err := os.Stat(filepath.Join(v.dir, table.FileName)); errors.Is(err, fs.ErrNotExist) {
		return nil // the next start builds it
	}
	v.table, err = table.Inspect(ctx, v.dir, v.tableOptions())
	switch {
	case table.Unreadable(ctx, err) && table.Interrupted(v.dir):
		return nil // the next start undoes the checkpoint
	case table.Unreadable(ctx, err):
		v.derived("the log table %s is damaged: %v", table.FileName, err)
		return nil
	}
	return err
}

// build reads the whole journal into a store in a temporary folder.
func (v *verifier) build(ctx context.Context, temporary string) error {
	s, err := openDerived(v.dir, temporary, v.opts)
	if err != nil {
		return err
	}
	v.built = s
	v.report.Interrupted = s.journal.Tail()
	if v.table != nil && v.table.Current {
		s.upkeep.until = &v.table.State.Next
		if err := s.upkeep.checkEnd(*s.upkeep.until); err != nil {
			v.derived("%v", err)
		}
	}
	if err := s.recover(ctx); err != nil {
		return err
	}
	return s.table.Close()
}

// checkText compares the number of documents with that of the logs.
func (v *verifier) checkText(ctx context.Context) error {
	sum, err := textindex.Check(filepath.Join(v.dir, textFolder), reqlog.IndexVersion)
	if err != nil {
		return err
	}
	for _, path := range sum.Damaged {
		v.derived("the text index file %s is damaged", path)
	}
	logs := int64(0)
	for block, err := range v.built.journal.Scan(0) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.report.Blocks++
		v.report.Bytes += int64(block.Next - block.Position)
		for _, raw := range block.Records {
			switch r := record(raw); {
			case !r.valid():
			case r.kind() == recordSpan:
				v.report.Spans++
			case r.kind() == recordLog && !v.built.index.isDeleted(r.id()):
				v.report.Logs++
				if r.id() <= sum.Last {
					logs++
				}
			}
		}
	}
	for _, d := range v.built.journal.Damage() {
		v.report.Blocks--
		v.report.Bytes -= d.Bytes
	}
	// The index may still have logs that were deleted, until their storage is reclaimed.
	hidden := int64(0)
	if v.table != nil && v.table.Current {
		hidden = int64(len(v.table.State.Deleted.Logs))
	}
	if len(sum.Damaged) == 0 && (sum.Docs < logs || sum.Docs > logs+hidden && len(v.built.journal.Damage()) == 0) {
		v.derived("the text index has %d logs up to %d, the journal %d", sum.Docs, sum.Last, logs)
	}
	return nil
}

// compare compares the table with the one that was built.
func (v *verifier) compare(ctx context.Context, temporary string) error {
	if v.table == nil || !v.table.Current {
		return nil
	}
	c, err := v.table.Compare(ctx, temporary, len(v.built.journal.Damage()) > 0)
	if err != nil {
		return err
	}
	if c.Different > 0 {
		v.derived("%d rows of the log table differ from the journal", c.Different)
	}
	if c.ExtraClosures > 0 {
		v.derived("%d closed traces of the log table are not in the journal", c.ExtraClosures)
	}
	v.report.Lost, v.report.LostSpans = c.Extra, c.ExtraSpans
	return nil
}

// listLost limits the ids of the logs in each damaged part.
func (v *verifier) listLost(ctx context.Context) error {
	if v.table != nil && v.table.Current {
		v.built.index.adopt(v.table.State)
	}
	for _, found := range v.built.journal.Damage() {
		first, last, known := v.built.index.idsBetween(found.From, found.To)
		d := Damage{Damage: found, FirstID: first, LastID: last, Logs: max(0, last-first+1)}
		if known && v.table != nil {
			logs, err := v.table.Logs(ctx, first, last)
			if err != nil {
				return err
			}
			d.Logs, d.Exact = int64(len(logs)), true
		}
		v.report.Damage = append(v.report.Damage, d)
	}
	return nil
}
