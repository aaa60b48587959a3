// Package backup writes points of an installation to a folder or a bucket, and
// reads them back.
//
// A point is the state of an installation at one moment: a manifest that lists
// the files of the point with their sizes and checksums. Files are never changed
// once they are written. The files of a journal only grow, so a point refers to
// the files of the point before it, and adds what is new. The manifest is written
// last: a point whose manifest is missing does not exist.
package backup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/blob"
)

// format is the version of the manifests that this program writes.
const format = 1

// The folders of a target.
const (
	pointFolder   = "points/"
	catalogFolder = "catalog/"
	keyFolder     = "key/"
	journalFolder = "journal/"
)

const pointSuffix = ".json"

// ErrDamaged says that a backup does not hold what was written to it.
var ErrDamaged = errors.New("the backup is damaged")

// Object is a file of a target, compressed unless it is the key.
type Object struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// File is a file of the journal at a point. Its content is that of its parts in
// a row.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	// Stamp tells whether a file of the source is the one that was read: another
	// stamp means that it has to be read again.
	Stamp string   `json:"stamp"`
	Parts []Object `json:"parts"`
}

// Point is the state of an installation at one moment.
type Point struct {
	Format int `json:"format"`
	// ID is the time, as it is written in the name of the manifest.
	ID   string    `json:"id"`
	Time time.Time `json:"time"`
	// Program is the version of the program that wrote it.
	Program      string `json:"program"`
	Installation string `json:"installation"`
	// CatalogEngine is the database that held the catalog. In a backup, it is a
	// SQLite file.
	CatalogEngine string `json:"catalog_engine"`
	Catalog       Object `json:"catalog"`
	// Key is the encrypted secret key, nil if it was left out.
	Key *Object `json:"key"`
	// Elsewhere names the system that has the request logs, if they are not in
	// the data folder and thus not in the backup.
	Elsewhere string `json:"logs_elsewhere,omitempty"`
	Journal   []File `json:"journal"`
	// End is where the journal ends, as a block.
	End string `json:"end,omitempty"`
	// Damage lists the parts of the journal that were damaged in the source.
	Damage []string `json:"damage,omitempty"`
}

// idLayout makes the names of points sort by time.
const idLayout = "20060102T150405.000Z"

func (p *Point) objects() []Object {
	all := []Object{p.Catalog}
	if p.Key != nil {
		all = append(all, *p.Key)
	}
	for _, file := range p.Journal {
		all = append(all, file.Parts...)
	}
	return all
}

// Bytes returns the size of the journal.
func (p *Point) Bytes() (sum int64) {
	for _, file := range p.Journal {
		sum += file.Size
	}
	return sum
}

func manifestName(id string) string { return pointFolder + id + pointSuffix }

// encode returns the manifest: a line of JSON, and a line with its checksum.
func (p *Point) encode() ([]byte, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(nil, "%s\n%x\n", text, sum), nil
}

// decode reads a manifest. What it names stays within the folders that a restore
// writes to.
func decode(id string, manifest []byte) (*Point, error) {
	text, sum, _ := bytes.Cut(bytes.TrimSuffix(manifest, []byte("\n")), []byte("\n"))
	if actual := sha256.Sum256(text); hex.EncodeToString(actual[:]) != string(sum) {
		return nil, damaged("the manifest of point %s has a wrong checksum", id)
	}
	var p Point
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, damaged("the manifest of point %s cannot be read: %v", id, err)
	}
	if p.Format != format {
		return nil, fmt.Errorf("point %s has the format %d, and this program reads %d: use a newer version", id, p.Format, format)
	}
	for _, file := range p.Journal {
		if file.Name != path.Base(file.Name) || !strings.HasSuffix(file.Name, ".journal") || blob.CheckName(file.Name) != nil {
			return nil, damaged("the manifest of point %s has a file of the name %q", id, file.Name)
		}
	}
	return &p, nil
}

// damaged returns an error that is ErrDamaged.
func damaged(text string, args ...any) error {
	return fmt.Errorf("%w: "+text, append([]any{ErrDamaged}, args...)...)
}

// IDs returns the ids of the points of a target, oldest first.
func IDs(ctx context.Context, store blob.Store) (ids []string, err error) {
	for info, err := range store.List(ctx, pointFolder) {
		if err != nil {
			return nil, fmt.Errorf("list the points of %s: %w", store, err)
		}
		if id, ok := strings.CutSuffix(strings.TrimPrefix(info.Name, pointFolder), pointSuffix); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Read reads the manifest of a point.
func Read(ctx context.Context, store blob.Store, id string) (*Point, error) {
	manifest, err := readAll(ctx, store, manifestName(id))
	if blob.Is(err, blob.Missing) {
		return nil, fmt.Errorf("%s has no point %s", store, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read point %s: %w", id, err)
	}
	return decode(id, manifest)
}

// maxManifest limits what is read of a file that should be a manifest.
const maxManifest = 256 << 20

func readAll(ctx context.Context, store blob.Store, name string) (_ []byte, err error) {
	content, err := store.Get(ctx, name, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, content.Close()) }()
	return io.ReadAll(io.LimitReader(content, maxManifest))
}

// Points reads all points of a target, oldest first, and returns what is wrong
// with those that cannot be read.
func Points(ctx context.Context, store blob.Store) (found []*Point, problems []error, err error) {
	return points(ctx, store, false)
}

// points reads the points of a target, or only the last one that can be read.
func points(ctx context.Context, store blob.Store, last bool) (found []*Point, problems []error, err error) {
	ids, err := IDs(ctx, store)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range slices.Backward(ids) {
		point, err := Read(ctx, store, id)
		if errors.Is(err, ErrDamaged) {
			problems = append(problems, err)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		found = append(found, point)
		if last {
			break
		}
	}
	slices.Reverse(found)
	return found, problems, nil
}
