package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/durable"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// JournalFolder returns the folder of the journal of the store in dir.
func JournalFolder(dir string) string { return filepath.Join(dir, journalFolder) }

// OpenJournalFiles opens the files of the journal of the store in dir, which
// another process may be writing to. There are none if nothing was written yet.
func OpenJournalFiles(dir string) ([]journal.SegmentFile, error) {
	if state, err := copyState(dir); err != nil || state != nil {
		return nil, errors.Join(err, fmt.Errorf("open %s: %w", dir, ErrCopying))
	}
	files, err := journal.OpenSegments(JournalFolder(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return files, err
}

// CheckJournalFile checks the blocks of a file of a journal between two offsets, as
// journal.CheckSegment does.
func CheckJournalFile(file journal.SegmentFile, from, to int64) (end int64, spoilt []journal.Spoilt, err error) {
	return journal.CheckSegment(file, from, to, wellFormed)
}

// JournalAt returns the position of the first block of the journal of the store in
// dir with a request log that arrived after a time, or the end of the journal.
func JournalAt(ctx context.Context, dir string, at time.Time) (_ journal.Position, err error) {
	j, err := journal.Open(JournalFolder(dir), journal.Options{ReadOnly: true, WellFormed: wellFormed})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	for block, err := range j.Scan(0) {
		if err != nil {
			return 0, err
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if later, err := arrivedAfter(block, at); later || err != nil {
			return block.Position, err
		}
	}
	return j.End(), nil
}

// arrivedAfter reports whether a block has a request log that arrived after a time.
func arrivedAfter(block journal.Block, at time.Time) (bool, error) {
	for _, raw := range block.Records {
		r := record(raw)
		if !r.valid() || r.kind() != recordLog {
			continue
		}
		l, err := decodeLog(r)
		if err != nil {
			return false, fmt.Errorf("journal block %d: %w", block.Position, err)
		}
		if l.CreatedAt.Time().After(at) {
			return true, nil
		}
	}
	return false, nil
}

// CutJournal removes everything from a position on from the journal of the store in
// dir, which nobody may have open, and which has no table and no text index. The
// position must be the beginning of a block, or the end.
func CutJournal(dir string, at journal.Position) error {
	files, err := journal.OpenSegments(JournalFolder(dir))
	if err != nil {
		return err
	}
	defer journal.CloseSegments(files)
	number, offset := at.Split()
	found := false
	for _, file := range files {
		switch {
		case file.Number == number:
			found = true
			err = cutFile(file, offset)
		case file.Number > number:
			err = os.Remove(file.File.Name())
		}
		if err != nil {
			return fmt.Errorf("cut the journal: %w", err)
		}
	}
	if !found && offset > 0 {
		return errNoBlock(at)
	}
	return durable.SyncFolder(JournalFolder(dir))
}

func errNoBlock(at journal.Position) error {
	number, offset := at.Split()
	return fmt.Errorf("the journal has no block that begins at %d:%d", number, offset)
}

func cutFile(file journal.SegmentFile, offset int64) error {
	if rewritten, err := journal.CutRewritten(file, offset); err != nil || rewritten {
		return err
	}
	if offset > file.Info.Size() {
		return errNoBlock(journal.At(file.Number, offset))
	}
	end, _, err := CheckJournalFile(file, 0, offset)
	if err == nil && end != offset {
		err = errNoBlock(journal.At(file.Number, offset))
	}
	if err != nil {
		return err
	}
	writable, err := os.OpenFile(file.File.Name(), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(writable.Truncate(offset), writable.Sync(), writable.Close())
}
