package backup

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/blob"
)

// orphanAge is the age at which a file that no point refers to is deleted. Until
// then it may belong to a backup in progress.
const orphanAge = 24 * time.Hour

// prune deletes the points that are not to be kept, and then the files that no
// point refers to. If a point cannot be read, nothing is deleted, because its
// files are not known. If all points are kept, nothing is deleted either, because
// reading all of them would take longer with each.
func (w *writer) prune(ctx context.Context) error {
	if len(w.result.Problems) > 0 || w.opts.Keep == 0 {
		return nil
	}
	kept := append(slices.Clone(w.points), w.point)
	drop := max(0, len(kept)-w.opts.Keep)
	freed := map[string]bool{}
	for _, point := range kept[:drop] {
		if err := w.store.Delete(ctx, manifestName(point.ID)); err != nil {
			return err
		}
		w.result.Pruned = append(w.result.Pruned, point.ID)
		for _, object := range point.objects() {
			freed[object.Name] = true
		}
	}
	return w.sweep(ctx, kept[drop:], freed)
}

// sweep deletes files that no point refers to.
func (w *writer) sweep(ctx context.Context, points []*Point, freed map[string]bool) error {
	used := map[string]bool{}
	for _, point := range points {
		for _, object := range point.objects() {
			used[object.Name] = true
		}
	}
	before := w.opts.Now().Add(-orphanAge)
	for name, info := range w.sizes {
		if used[name] || !freed[name] && info.Time.After(before) {
			continue
		}
		if err := w.store.Delete(ctx, name); err != nil {
			return err
		}
	}
	err := w.store.Sweep(ctx, "", before)
	if blob.Is(err, blob.Missing) { // some services say so if there is nothing to sweep
		return nil
	}
	return err
}
