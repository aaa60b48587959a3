package backup

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/blob"
)

// Checked is what Verify found.
type Checked struct {
	// Points are those whose manifest can be read, oldest first.
	Points []*Point
	// Files and Bytes count the files that were read.
	Files int
	Bytes int64
	// Problems say what is damaged.
	Problems []error
}

// Verify reads every file that a point of the target refers to, and compares its
// size and checksum.
func Verify(ctx context.Context, store blob.Store, progress func(done, total int64)) (*Checked, error) {
	points, problems, err := Points(ctx, store)
	if err != nil {
		return nil, err
	}
	found := &Checked{Points: points, Problems: problems}
	var objects []Object
	total, known := int64(0), map[Object]bool{}
	for _, point := range points {
		for _, object := range point.objects() {
			if !known[object] {
				known[object] = true
				objects = append(objects, object)
				total += object.Size
			}
		}
	}
	for _, object := range objects {
		err := check(ctx, store, object)
		if errors.Is(err, ErrDamaged) {
			found.Problems = append(found.Problems, err)
		} else if err != nil {
			return nil, fmt.Errorf("read %s: %w", object.Name, err)
		}
		found.Files++
		found.Bytes += object.Size
		progress(found.Bytes, total)
	}
	return found, nil
}
