package embedded

import (
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestDeletionRecord encodes deletions and reads them again.
func TestDeletionRecord(t *testing.T) {
	t.Parallel()
	for _, d := range []*reqlog.Deletion{
		{TextsOnly: true}, {}, {RemovedPaths: []string{"a.b", ""}}, {RemovedScores: []string{"tone"}, WithTraces: true}, {RemovedPaths: []string{"x"}, RemovedScores: []string{"y", "z"}},
	} {
		d.Workspace, d.Logs, d.SpanKeys, d.ClosureKeys = 7, []int64{1, 5, 1 << 50}, []int64{-3, 9}, []int64{4}
		r := record(appendDeletion(nil, d))
		check.Equal(t, "deletion", check.Must(decodeDeletion(r))(t), d)
		for size := range r {
			if size >= recordHeader {
				if _, err := decodeDeletion(r[:size]); err == nil {
					t.Errorf("%d of %d bytes are read", size, len(r))
				}
			}
		}
		if _, err := decodeDeletion(append(slices.Clone(r), 0)); err == nil {
			t.Error("a record with more behind it is read")
		}
	}
	huge := appendDeletion(nil, &reqlog.Deletion{RemovedPaths: []string{"x"}})[:recordHeader+4]
	huge = append(huge, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f)
	if _, err := decodeDeletion(huge); err == nil {
		t.Error("a record with more names than bytes is read")
	}
}
