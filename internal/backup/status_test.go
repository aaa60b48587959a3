package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/check"
)

// The outcome of a backup is read as it was stored, and one without a point keeps the
// last point.
func TestStatus(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	_, found, err := backup.ReadStatus(data)
	check.OK(t, err)
	check.Equal(t, "before the first", found, false)

	started := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	point := &backup.Point{ID: "20260301T120000.000Z", Time: started.Add(time.Second)}
	for name, test := range map[string]struct {
		result  *backup.Result
		failure error
		outcome backup.Outcome
		wrong   string
	}{
		"complete":   {&backup.Result{Point: point, Written: 7}, nil, backup.Complete, ""},
		"damaged":    {&backup.Result{Point: &backup.Point{ID: point.ID, Time: point.Time, Damage: []string{"a"}}, Problems: []error{errors.New("b")}}, nil, backup.Incomplete, "2 parts of the journal or of the backup are damaged"},
		"not pruned": {&backup.Result{Point: point, Unpruned: errors.New("no room")}, nil, backup.Incomplete, "old files could not be deleted: no room"},
		"failed":     {nil, errors.New("no bucket"), backup.Failed, "no bucket"},
	} {
		got := backup.NewStatus(started, started.Add(time.Minute), test.result, test.failure)
		check.Equal(t, name, []string{string(got.Outcome), got.Error}, []string{string(test.outcome), test.wrong})
	}

	check.OK(t, backup.SaveStatus(data, backup.NewStatus(started, started.Add(time.Minute), &backup.Result{Point: point, Written: 7}, nil)))
	check.OK(t, backup.SaveStatus(data, backup.NewStatus(started.Add(time.Hour), started.Add(2*time.Hour), nil, errors.New("no bucket"))))
	got, found, err := backup.ReadStatus(data)
	check.OK(t, err)
	check.Equal(t, "found", found, true)
	check.Equal(t, "stored", got, backup.Status{
		Outcome: backup.Failed, Started: started.Add(time.Hour), Ended: started.Add(2 * time.Hour), Error: "no bucket", Point: point.ID, Made: &point.Time,
	})

	file := filepath.Join(data, "backup.json")
	check.OK(t, os.WriteFile(file, []byte("{"), 0o600))
	if _, _, err := backup.ReadStatus(data); err == nil {
		t.Error("a damaged file is read")
	}
	check.OK(t, backup.SaveStatus(data, backup.NewStatus(started, started, &backup.Result{Point: point}, nil)))
	if err := backup.SaveStatus(filepath.Join(data, "missing"), backup.Status{}); err == nil {
		t.Error("a missing folder is written to")
	}
}
