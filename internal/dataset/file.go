package dataset

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// FileInput is a file to import as a dataset.
type FileInput struct {
	GroupID int64
	// Name ends in .csv or .json, which determines the format.
	Name    string
	File    *Upload
	Creator *string
}

// CreateFromFile creates the next numbered dataset of a group from a file. A
// draft of the group becomes that dataset. On any fault nothing is changed:
// NotFound for an unknown group, Forbidden if the caller lacks the permission,
// BadRequest for an invalid file.
func (s *Service) CreateFromFile(ctx context.Context, workspace int64, in FileInput) (Dataset, error) {
	if err := s.checkEditable(ctx, workspace, in.GroupID); err != nil {
		return Dataset{}, err
	}
	read, err := formatOf(in.Name)
	if err != nil {
		return Dataset{}, err
	}
	made := Dataset{Creator: in.Creator}
	fill := func(c *content) (err error) {
		made.Columns, err = read(in.File, &fileRows{ctx: ctx, content: c})
		return err
	}
	return s.build(ctx, workspace, fill, func(c *content) (Stored, error) {
		made.content, made.RowCount = c.id, c.count
		return s.publish(ctx, workspace, in.GroupID, made)
	})
}

// format reads a file, writes its rows and returns the columns.
type format func(file *Upload, rows *fileRows) (columns []string, err error)

func formatOf(name string) (format, error) {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".csv"):
		return readCSV, nil
	case strings.HasSuffix(lower, ".json"):
		return readJSON, nil
	}
	return nil, fault.BadRequestf("file_name must end in .csv or .json")
}

// invalidFile returns the fault for an invalid file.
func invalidFile(format string, args ...any) error {
	return fault.BadRequestf("Invalid file format: "+format, args...)
}

// fileRows writes the rows of a file within the limits.
type fileRows struct {
	ctx     context.Context // it does not outlive the call
	content *content
}

func (r *fileRows) add(cells []byte) error {
	if r.content.count == MaxFileRows {
		return invalidFile("there are more than %d rows", MaxFileRows)
	}
	if err := r.content.add(r.ctx, cells); err != nil {
		return err
	}
	if r.content.size > maxContentSize {
		return invalidFile("with a cell for each column the rows take more than %d bytes", maxContentSize)
	}
	return nil
}

// rowReader reads a file row by row, and rejects a row that is too large before
// it is in memory.
type rowReader struct {
	from io.Reader
	// taken is the number of bytes read since the last row.
	taken int
}

const (
	// rowReadSize limits one read, and so how many bytes of later rows are counted
	// as part of this one.
	rowReadSize = 32 << 10
	// rowSlack is the maximum number of bytes of other rows that are counted.
	rowSlack = 4 * rowReadSize
)

// openRows returns a reader from the start of a file, without a byte order
// mark.
func openRows(file *Upload) (*rowReader, io.Reader, error) {
	from, err := file.open()
	if err != nil {
		return nil, nil, err
	}
	rows := &rowReader{from: from}
	buffered := bufio.NewReaderSize(rows, 4096)
	if start, _ := buffered.Peek(len(byteOrderMark)); string(start) == byteOrderMark {
		_, _ = buffered.Discard(len(byteOrderMark))
	}
	return rows, buffered, nil
}

const byteOrderMark = "\xef\xbb\xbf"

func (r *rowReader) Read(p []byte) (int, error) {
	if r.taken > maxRowSize+rowSlack {
		return 0, invalidFile("a row takes more than %d bytes", maxRowSize)
	}
	n, err := r.from.Read(p[:min(len(p), rowReadSize)])
	r.taken += n
	return n, err
}

// next starts the next row.
func (r *rowReader) next() { r.taken = 0 }
