package dataset_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
)

// uploadsEach and uploadsWaiting are how many files of a workspace are received at the
// same time, and how many more wait.
const (
	uploadsEach    = 4
	uploadsWaiting = 20
)

// patient returns a context that ends if a workspace waits for another.
func patient(s *shelf) (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, time.Minute)
}

// TestUploadsDoNotDelayOtherWorkspaces begins as many uploads of one workspace as it
// can, whose clients never send anything.
func TestUploadsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	var first []*dataset.Upload
	for range uploadsEach {
		first = append(first, check.Must(s.NewUpload(ctx, s.workspace))(t))
	}
	begun := make(chan *dataset.Upload)
	ended := make(chan error)
	for range uploadsWaiting {
		go func() {
			upload, err := s.NewUpload(ctx, s.workspace)
			if err != nil {
				ended <- err
				return
			}
			begun <- upload
		}()
	}
	check.Eventually(t, "uploads wait", func() bool { return s.Uploads().Stats().Waiting == uploadsWaiting })
	fails(t, check.Failure(s.NewUpload(ctx, s.workspace)), fault.RateLimited, "Too many tasks")
	other, cancel := patient(s)
	defer cancel()
	for range uploadsEach {
		upload := check.Must(s.NewUpload(other, s.workspace+1))(t)
		defer func() { check.OK(t, upload.Close()) }()
	}
	check.OK(t, first[0].Close())
	first[0] = check.Next(t, begun)
	stop()
	for range uploadsWaiting - 1 {
		if err := check.Next(t, ended); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	for _, upload := range first {
		check.OK(t, upload.Close())
	}
	check.Equal(t, "slots that are held", s.Uploads().Stats().Running, uploadsEach)
}

// TestNoFileForAnUpload gives the slot back if the file cannot be created.
func TestNoFileForAnUpload(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.uploads += "/missing"
	fails(t, check.Failure(s.NewUpload(s.ctx, s.workspace)), fault.Unavailable, "could not be stored")
	check.Equal(t, "slots that are held", s.Uploads().Stats().Running, 0)
}

// TestBuildsDoNotDelayOtherWorkspaces takes all slots that a workspace gets for
// datasets being written.
func TestBuildsDoNotDelayOtherWorkspaces(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	first := s.workspace
	group := s.group("g")
	ends := make([]func(), s.Builds().Stats().Each)
	for i := range ends {
		ends[i] = check.Must(s.Builds().Acquire(s.ctx, first))(t)
	}
	waiting := *s
	made := make(chan error)
	go func() {
		_, err := waiting.imported(group, "a.csv", "a\n1\n")
		made <- err
	}()
	check.Eventually(t, "the dataset waits", func() bool { return s.Builds().Stats().Waiting == 1 })

	s.workspace = check.Must(s.catalog.Accounts.CreateWorkspace(s.ctx, "second"))(t).ID
	var cancel context.CancelFunc
	s.ctx, cancel = patient(s)
	defer cancel()
	check.Must(s.imported(s.group("g"), "a.csv", "a\n1\n"))(t)
	_, stillWaiting := s.Builds().StatsOf(first)
	check.Equal(t, "datasets that wait", stillWaiting, 1)
	for _, end := range ends {
		end()
	}
	check.OK(t, check.Next(t, made))
	check.Equal(t, "slots that are held", s.Builds().Stats().Running, 0)
}
