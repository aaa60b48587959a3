package table

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"github.com/promptuary/promptuary/internal/durable"
)

// A checkpoint of DuckDB writes rows to free blocks and then a header that refers to
// them, but overwrites the blocks of its metadata in place. If the process is killed
// or the power fails in the middle of such a block, its checksum is wrong, and the
// table would have to be rebuilt from the journal. So these blocks are copied to the
// undo file first, together with the headers: as long as the headers are the same,
// the checkpoint is not complete, and the copies restore the file.

// undoSuffix ends the name of the undo file, which exists during a checkpoint.
const undoSuffix = ".undo"

// undoFile describes the copies in an undo file. They follow it: the number of a
// block and its bytes, for each block. The end is a checksum.
type undoFile struct {
	Headers   [headers]byte
	BlockSize int64
	Blocks    int64
}

// keepUndo writes the undo file.
func (f *file) keepUndo(ctx context.Context, db *sql.DB) (err error) {
	blocks, size, err := f.metadataBlocks(ctx, db)
	if err != nil {
		return err
	}
	source, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	undo := undoFile{BlockSize: size, Blocks: int64(len(blocks))}
	if _, err := source.ReadAt(undo.Headers[:], 0); err != nil {
		return err
	}
	file, err := os.OpenFile(f.path+undoSuffix, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(undo.write(file, source, blocks), file.Sync(), file.Close()); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(f.path))
}

// metadataBlocks returns the numbers of the blocks that a checkpoint may overwrite
// and that are in the file, and the size of a block.
func (f *file) metadataBlocks(ctx context.Context, db *sql.DB) (blocks []int64, size int64, err error) {
	var count int64
	if err := db.QueryRowContext(ctx, "SELECT block_size, total_blocks FROM pragma_database_size() WHERE database_name = 'logs'").Scan(&size, &count); err != nil {
		return nil, 0, err
	}
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, 0, err
	}
	rows, err := db.QueryContext(ctx, "SELECT block_id FROM pragma_metadata_info('logs') WHERE block_id < ?", min(count, (info.Size()-headers)/size))
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var block int64
		if err := rows.Scan(&block); err != nil {
			return nil, 0, err
		}
		blocks = append(blocks, block)
	}
	return blocks, size, rows.Err()
}

// write writes the undo file with copies of blocks of the table's file.
func (u *undoFile) write(file io.Writer, source io.ReaderAt, blocks []int64) error {
	sum := xxhash.New()
	out := bufio.NewWriter(io.MultiWriter(file, sum))
	if err := binary.Write(out, binary.LittleEndian, u); err != nil {
		return err
	}
	for _, block := range blocks {
		if err := binary.Write(out, binary.LittleEndian, block); err != nil {
			return err
		}
		if _, err := io.Copy(out, io.NewSectionReader(source, headers+block*u.BlockSize, u.BlockSize)); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return binary.Write(file, binary.LittleEndian, sum.Sum64())
}

// forgetUndo removes the undo file, if there is one, for good: after another
// checkpoint it would make the file a mixture of two.
func (f *file) forgetUndo() error {
	if err := os.Remove(f.path + undoSuffix); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(f.path))
}

// Interrupted reports whether Restore will undo a checkpoint of the table in dir.
func Interrupted(dir string) bool {
	f := fileIn(dir, nil)
	file, err := os.Open(f.path + undoSuffix)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	target, err := os.Open(f.path)
	if err != nil {
		return false
	}
	defer func() { _ = target.Close() }()
	_, _, ok, err := toUndo(file, target)
	return ok && err == nil
}

// undo undoes a checkpoint that was not completed.
func (f *file) undo() error {
	file, err := os.Open(f.path + undoSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(f.undoFrom(file), file.Close()); err != nil {
		return err
	}
	return f.forgetUndo()
}

// undoFrom writes the copies in an undo file to their places.
func (f *file) undoFrom(file io.ReadSeeker) (err error) {
	target, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	undo, copies, ok, err := toUndo(file, target)
	if !ok || err != nil {
		return err
	}
	for range undo.Blocks {
		var block int64
		if err := binary.Read(copies, binary.LittleEndian, &block); err != nil {
			return err
		}
		if _, err := io.CopyN(io.NewOffsetWriter(target, headers+block*undo.BlockSize), copies, undo.BlockSize); err != nil {
			return err
		}
	}
	f.log.Info("a checkpoint of the log table was interrupted; it is undone", "blocks", undo.Blocks)
	return target.Sync()
}

// toUndo reads an undo file up to its copies. It is not ok if it is incomplete, so that
// the checkpoint did not begin, or if the checkpoint of the table's file was completed.
func toUndo(file io.ReadSeeker, table io.ReaderAt) (undo undoFile, copies io.Reader, ok bool, err error) {
	if ok, err := undoComplete(file); !ok || err != nil {
		return undo, nil, false, err
	}
	copies = bufio.NewReader(file)
	if err := binary.Read(copies, binary.LittleEndian, &undo); err != nil {
		return undo, nil, false, err
	}
	var now [headers]byte
	n, err := table.ReadAt(now[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return undo, nil, false, err
	}
	return undo, copies, bytes.Equal(now[:n], undo.Headers[:]), nil
}

// undoComplete reports whether the checksum at the end is that of the rest, and goes
// back to the start.
func undoComplete(file io.ReadSeeker) (bool, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size < 8 {
		return false, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	sum := xxhash.New()
	if _, err := io.CopyN(sum, file, size-8); err != nil {
		return false, err
	}
	var stored uint64
	if err := binary.Read(file, binary.LittleEndian, &stored); err != nil {
		return false, err
	}
	_, err = file.Seek(0, io.SeekStart)
	return stored == sum.Sum64(), err
}
