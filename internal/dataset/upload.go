package dataset

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Upload is a file that is being received. It is not safe for concurrent use.
type Upload struct {
	file Scratch
	// broken is the reason why the file cannot be used.
	broken  error
	size    int64
	release func()
}

// NewUpload returns an empty file, which the caller closes. It waits for the turn
// of the workspace; the fault is RateLimited if too many of its files wait.
func (s *Service) NewUpload(ctx context.Context, workspace int64) (*Upload, error) {
	release, err := s.uploads.Acquire(ctx, workspace)
	if err != nil {
		return nil, err
	}
	file, err := s.scratch()
	if err != nil {
		release()
		return nil, fault.Busy(5*time.Second, err, "the file could not be stored")
	}
	return &Upload{file: file, release: release}, nil
}

// Close removes the file.
func (u *Upload) Close() error {
	defer u.release()
	return u.file.Close()
}

// errTooLarge aborts the upload of a file.
var errTooLarge = fault.BadRequestf("The file is larger than %d bytes", MaxFileSize)

// ReadBase64 replaces the file by the decoded base64 text. It always reads the
// whole text; an invalid text is reported when the file is used. The error is
// one of reading or writing.
func (u *Upload) ReadBase64(text io.Reader) error {
	if err := u.reset(); err != nil {
		return err
	}
	source := &sourceReader{from: text}
	decoded := io.LimitReader(base64.NewDecoder(base64.StdEncoding, source), MaxFileSize+1)
	size, err := io.Copy(u.file, decoded)
	switch {
	case source.err != nil:
		return source.err
	case isBase64Error(err):
		u.broken = fault.BadRequestf("file_content_base64 is not valid base64")
	case err != nil:
		return fault.Busy(5*time.Second, err, "the file could not be stored")
	case size > MaxFileSize:
		u.broken = errTooLarge
	}
	u.size = size
	_, err = io.Copy(io.Discard, text)
	return err
}

func isBase64Error(err error) bool {
	_, corrupt := errors.AsType[base64.CorruptInputError](err)
	return corrupt || errors.Is(err, io.ErrUnexpectedEOF)
}

func (u *Upload) reset() error {
	u.broken = nil
	if _, err := u.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("empty an upload: %w", err)
	}
	if err := u.file.Truncate(0); err != nil {
		return fmt.Errorf("empty an upload: %w", err)
	}
	return nil
}

// open returns a reader from the start of the file.
func (u *Upload) open() (io.Reader, error) {
	if u.broken != nil {
		return nil, u.broken
	}
	if _, err := u.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read an upload: %w", err)
	}
	return u.file, nil
}

// sourceReader remembers why reading ended, to distinguish a broken connection
// from invalid base64.
type sourceReader struct {
	from io.Reader
	err  error
}

func (r *sourceReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}
