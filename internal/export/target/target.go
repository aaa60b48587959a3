// Package target writes exports to a folder or a bucket. The files of request logs, and
// of audit entries, are named after the ids that they cover and become visible as a
// whole, so that the target itself tells which it has: each is there once, whatever
// breaks off.
package target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/blob"
)

const (
	// SettingsName is the file that says what the target has.
	SettingsName = "export.json"
	// Logs and Audit begin the names of files with request logs and with audit entries.
	Logs  = "logs-"
	Audit = "audit-"
	// sweepAfter is the age of what an interrupted export has left behind.
	sweepAfter = 24 * time.Hour
	// maxSettings limits what is read of a file that is not ours.
	maxSettings = 1 << 20
)

// ErrOther means that the target has an export with other options.
var ErrOther = errors.New("the target has an export with other options")

// Part is a file with the rows of a range of ids.
type Part struct {
	Name string
	// First and Last are the range, both included.
	First, Last int64
	Bytes       int64
}

// Name returns the name of the file with the rows of a range of ids. Names sort like
// ids.
func Name(prefix string, first, last int64, extension string) string {
	return fmt.Sprintf("%s%019d-%019d%s", prefix, first, last, extension)
}

// digits is the length of an id in a name.
const digits = 19

// partOf reads the name of a file.
func partOf(prefix string, info blob.Info) (Part, bool) {
	rest, isPart := strings.CutPrefix(info.Name, prefix)
	if !isPart || len(rest) < 2*digits+1 || rest[digits] != '-' {
		return Part{}, false
	}
	first, err1 := strconv.ParseInt(rest[:digits], 10, 64)
	last, err2 := strconv.ParseInt(rest[digits+1:2*digits+1], 10, 64)
	return Part{Name: info.Name, First: first, Last: last, Bytes: info.Size}, err1 == nil && err2 == nil
}

// Target is a folder or a bucket.
type Target struct {
	blob.Store
	// Prefix begins the names of the files that have the rows of a range of ids.
	Prefix string
}

// Prepare makes the target ready for an export with the settings. It returns the
// files with rows that the target has, in the order of their ids. The error is
// ErrOther if they were written with other settings.
func (t Target) Prepare(ctx context.Context, settings []byte) ([]Part, error) {
	if err := t.Sweep(ctx, t.Prefix, time.Now().Add(-sweepAfter)); err != nil && !blob.Is(err, blob.Missing) && !blob.Is(err, blob.NoStore) {
		return nil, err
	}
	found, err := t.settings(ctx)
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, t.Put(ctx, SettingsName, func(w io.Writer) error { _, err := w.Write(settings); return err })
	case !bytes.Equal(found, settings):
		return nil, fmt.Errorf("%w: %s (see %s in it); choose another folder or prefix", ErrOther, t.Store, SettingsName)
	}
	return t.parts(ctx)
}

func (t Target) parts(ctx context.Context) (parts []Part, err error) {
	for info, err := range t.List(ctx, t.Prefix) {
		if err != nil {
			return nil, err
		}
		if part, isPart := partOf(t.Prefix, info); isPart {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// LastID returns the last id that files cover, 0 without any.
func LastID(parts []Part) (last int64) {
	for i := range parts {
		last = max(last, parts[i].Last)
	}
	return last
}

// settings returns what the target says that it has, nil if it is empty.
func (t Target) settings(ctx context.Context) (content []byte, err error) {
	file, err := t.Get(ctx, SettingsName, 0)
	if blob.Is(err, blob.Missing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return io.ReadAll(io.LimitReader(file, maxSettings))
}

// errNothing ends the writing of a file without rows.
var errNothing = errors.New("there is nothing new")

// Add writes a file with what write writes, which returns the number of rows. Without
// rows, there is no file. Either the whole file is there, or nothing.
func (t Target) Add(ctx context.Context, name string, write func(io.Writer) (rows int64, err error)) (rows, size int64, err error) {
	err = t.Put(ctx, name, func(w io.Writer) error {
		counted := &counter{to: w}
		if rows, err = write(counted); err == nil && rows == 0 {
			err = errNothing
		}
		size = counted.bytes
		return err
	})
	if errors.Is(err, errNothing) {
		return 0, 0, nil
	}
	return rows, size, err
}

// counter counts the bytes that are written.
type counter struct {
	to    io.Writer
	bytes int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}
