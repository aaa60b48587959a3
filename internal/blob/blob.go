// Package blob keeps named byte strings in a folder or in a bucket of an
// S3-compatible service. Exports and backups are written to it.
//
// A blob becomes visible as a whole: a reader sees all of it or nothing, also
// after a crash in the middle of a write.
package blob

import (
	"context"
	"io"
	"iter"
	"strings"
	"time"
)

// Store is a folder or a bucket. It is safe for concurrent use. Its errors are
// *Error, or that of the context if it has ended.
type Store interface {
	// Put writes a blob, or replaces it, with what write writes. If write
	// returns an error, Put changes nothing and returns the error as it is. Once
	// Put has returned nil, the blob survives a crash.
	Put(ctx context.Context, name string, write func(io.Writer) error) error
	// Get opens a blob for reading from the byte at an offset. The caller closes it.
	Get(ctx context.Context, name string, offset int64) (io.ReadCloser, error)
	// Stat describes a blob without reading it.
	Stat(ctx context.Context, name string) (Info, error)
	// List lists the blobs whose names begin with a prefix, ordered by name. It
	// stops after the first error.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// Delete deletes a blob. A blob that does not exist is not an error.
	Delete(ctx context.Context, name string) error
	// Sweep removes what Puts of names with a prefix that were interrupted
	// before a time have left behind.
	Sweep(ctx context.Context, prefix string, before time.Time) error
	// String returns the address for people, without credentials.
	String() string
}

// Info describes a blob.
type Info struct {
	Name string
	Size int64
	// Time is when the blob was written, by the clock of the store.
	Time time.Time
}

// maxName is the maximum length of a name in bytes.
const maxName = 512

// unfinished begins the last part of the names of files that are being written.
const unfinished = ".unfinished-"

// CheckName returns an error unless a blob can have the name: parts of letters,
// digits and other printable ASCII characters, separated by slashes. No part
// begins with a dot.
func CheckName(name string) error {
	if len(name) > maxName {
		return failed(Failed, nil, "the name of a file is longer than %d bytes", maxName)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.ContainsFunc(part, unfit) {
			return failed(Failed, nil, "%q cannot be the name of a file", name)
		}
	}
	return nil
}

func unfit(r rune) bool { return r < 0x20 || r >= 0x7f || strings.ContainsRune(`\:*?"<>|`, r) }
