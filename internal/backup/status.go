package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/promptuary/promptuary/internal/durable"
)

// statusFile is the file in the data folder with the outcome of the last backup.
const statusFile = "backup.json"

// Outcome is how a backup ended.
type Outcome string

// The outcomes.
const (
	// Complete means that there is a new point, with everything.
	Complete Outcome = "complete"
	// Incomplete means that there is a new point, but that something in the data folder
	// or in the target is damaged, or could not be deleted.
	Incomplete Outcome = "damaged"
	// Failed means that there is no new point.
	Failed Outcome = "failed"
)

// Status is the outcome of the last backup of a data folder.
type Status struct {
	Outcome Outcome `json:"outcome"`
	// Started and Ended are when it ran.
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	// Error is why it failed, or what is wrong, "" otherwise.
	Error string `json:"error,omitempty"`
	// Point is the last point, of this backup or an earlier one, and Made when it was
	// made. They are "" and nil if there never was one.
	Point string     `json:"point,omitempty"`
	Made  *time.Time `json:"made,omitempty"`
	// Written is the number of bytes that this backup wrote.
	Written int64 `json:"written"`
}

// NewStatus describes a backup that has ended.
func NewStatus(started, ended time.Time, result *Result, failure error) Status {
	s := Status{Outcome: Complete, Started: started, Ended: ended}
	if result != nil {
		s.Point, s.Made, s.Written = result.Point.ID, &result.Point.Time, result.Written
		if damage := len(result.Point.Damage) + len(result.Problems); damage > 0 {
			s.Outcome, s.Error = Incomplete, fmt.Sprintf("%d parts of the journal or of the backup are damaged", damage)
		}
		if result.Unpruned != nil {
			s.Outcome, s.Error = Incomplete, fmt.Sprintf("old files could not be deleted: %v", result.Unpruned)
		}
	}
	if failure != nil {
		s.Outcome, s.Error = Failed, failure.Error()
	}
	return s
}

// SaveStatus stores the outcome of a backup of a data folder. One without a new point
// keeps the last point.
func SaveStatus(data string, s Status) error {
	if s.Point == "" {
		before, _, _ := ReadStatus(data) // a damaged file has nothing to keep
		s.Point, s.Made = before.Point, before.Made
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(data, statusFile), append(text, '\n')); err != nil {
		return fmt.Errorf("store the outcome of the backup: %w", err)
	}
	return nil
}

// ReadStatus returns the outcome of the last backup of a data folder, and whether
// there was one.
func ReadStatus(data string) (s Status, found bool, err error) {
	text, err := os.ReadFile(filepath.Join(data, statusFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Status{}, false, nil
	}
	if err != nil {
		return Status{}, false, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return Status{}, false, fmt.Errorf("%s: %w", statusFile, err)
	}
	return s, true, nil
}
