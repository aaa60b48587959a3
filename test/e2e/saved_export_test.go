package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const savedExportsPath = "/api/public/v2/exports"

// savedExportState is a saved export in an answer.
type savedExportState struct {
	Export struct {
		ID      int64
		LastRun *struct {
			State string
			Error *string
			Rows  int64
		} `json:"last_run"`
	}
}

func getSavedExport(t *testing.T, c *client, id int64) savedExportState {
	t.Helper()
	return mustDecode[savedExportState](t, c.get(t, fmt.Sprintf("%s/%d", savedExportsPath, id)))
}

// createSavedExport creates an export of all request logs that runs when it is started.
func createSavedExport(t *testing.T, c *client, folder string, incremental bool) int64 {
	t.Helper()
	return mustDecode[savedExportState](t, c.post(t, savedExportsPath, object{
		"name": filepath.Base(folder), "target": object{"address": folder}, "schedule": object{"every": "once"}, "enabled": false, "incremental": incremental,
	}, http.StatusCreated)).Export.ID
}

// awaitSavedExport waits until the last run is done.
func awaitSavedExport(t *testing.T, c *client, id int64) {
	t.Helper()
	eventually(t, func() error {
		run := getSavedExport(t, c, id).Export.LastRun
		if run == nil || run.State != "done" {
			return fmt.Errorf("the run is %+v", run)
		}
		return nil
	})
}

// exportedTimes returns how often each request log is in the files of a folder that
// manifests list. Every file there is whole.
func exportedTimes(t *testing.T, folder string) map[int64]int {
	t.Helper()
	times := map[int64]int{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(entry.Name(), "manifest") {
			return err
		}
		var manifest struct {
			Files []struct {
				Name  string
				Bytes int64
			}
		}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &manifest)
		}
		for _, file := range manifest.Files {
			if err == nil {
				err = countRows(filepath.Join(folder, file.Name), file.Bytes, times)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return times
}

func countRows(path string, size int64, times map[int64]int) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if int64(len(text)) != size || !bytes.HasSuffix(text, []byte("\n")) {
		return fmt.Errorf("%s has %d bytes, want %d", path, len(text), size)
	}
	for line := range bytes.Lines(text) {
		var row struct{ ID int64 }
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s has the row %s: %w", path, clip(line), err)
		}
		times[row.ID]++
	}
	return nil
}

// checkExported expects each log once, and no others.
func (l userLogs) checkExported(t *testing.T, times map[int64]int) {
	t.Helper()
	count := 0
	for _, ids := range l {
		for _, id := range ids {
			if count++; times[id] != 1 {
				t.Errorf("log %d was exported %d times", id, times[id])
			}
		}
	}
	if len(times) != count {
		t.Errorf("%d logs were exported, want %d", len(times), count)
	}
}

// TestSavedExportSurvivesCrashes kills the program while saved exports run. Afterwards
// each request log is in the target once, and every file that a manifest lists is whole.
func TestSavedExportSurvivesCrashes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := setup{data: t.TempDir(), args: []string{"--export-folders", folder}}
	p := s.start(t)
	admin, key := s.asAdmin(t, p)
	each, whole := filepath.Join(folder, "each"), filepath.Join(folder, "whole")
	incremental, complete := createSavedExport(t, admin, each, true), createSavedExport(t, admin, whole, false)
	logs := userLogs{}
	random := rand.New(rand.NewPCG(crashSeed, 31))
	during := 0
	for range 8 {
		for user, ids := range writeUserLogs(t, p.client, 100, 2000) {
			logs[user] = append(logs[user], ids...)
		}
		for _, id := range []int64{incremental, complete} {
			// It is refused while the run before is active.
			if _, err := p.withKey(key).call(http.MethodPost, fmt.Sprintf("%s/%d/run", savedExportsPath, id), nil); err != nil {
				t.Fatal(err)
			}
		}
		p.killWithin(random, 150*time.Millisecond)
		p = s.start(t)
		if run := getSavedExport(t, p.withKey(key), incremental).Export.LastRun; run != nil && run.State != "done" {
			during++
		}
	}
	t.Logf("%d of 8 crashes were during a run", during)
	admin = p.withKey(key)
	for _, id := range []int64{incremental, complete} {
		awaitSavedExport(t, admin, id)
		admin.post(t, fmt.Sprintf("%s/%d/run", savedExportsPath, id), nil, http.StatusAccepted)
		awaitSavedExport(t, admin, id)
	}
	logs.checkExported(t, exportedTimes(t, each))
	runs, err := filepath.Glob(filepath.Join(whole, "run-*", "manifest.json"))
	if err != nil || len(runs) == 0 {
		t.Fatalf("there are no complete runs: %v", err)
	}
	last := filepath.Dir(runs[len(runs)-1])
	times := map[int64]int{}
	files, err := filepath.Glob(filepath.Join(last, "logs-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil {
			err = countRows(file, info.Size(), times)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	logs.checkExported(t, times)
	p.stop()
}

// TestSavedExportOnFullDisk leaves no room in the target. The run waits and leaves
// nothing that looks complete; when there is room, it continues.
func TestSavedExportOnFullDisk(t *testing.T) {
	t.Parallel()
	withPrivateMounts(t, func(t *testing.T) {
		d := mountDisk(t, 64)
		folder := d.data()
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		s := setup{data: t.TempDir(), args: []string{"--export-folders", folder}}
		p := s.start(t)
		admin, _ := s.asAdmin(t, p)
		logs := writeUserLogs(t, p.client, 500, 8000)
		d.fill(1 << 20)
		target := filepath.Join(folder, "each")
		id := createSavedExport(t, admin, target, true)
		admin.post(t, fmt.Sprintf("%s/%d/run", savedExportsPath, id), nil, http.StatusAccepted)
		eventually(t, func() error {
			run := getSavedExport(t, admin, id).Export.LastRun
			if run.State != "waiting" || run.Error == nil {
				return fmt.Errorf("the run is %s", run.State)
			}
			if !strings.Contains(strings.ToLower(*run.Error), "full") && !strings.Contains(strings.ToLower(*run.Error), "space") {
				t.Errorf("the reason is %q", *run.Error)
			}
			return nil
		})
		if times := exportedTimes(t, folder); len(times) != 0 {
			t.Errorf("a manifest lists %d logs although the disk is full", len(times))
		}
		if files, err := filepath.Glob(filepath.Join(target, "logs-*")); err != nil || len(files) > 0 {
			t.Errorf("the target has %v although the disk is full: %v", files, err)
		}
		p.log(t, entry{word: "still", tokens: 1})
		d.free()
		awaitSavedExport(t, admin, id)
		times := exportedTimes(t, target)
		for _, ids := range logs {
			for _, one := range ids {
				if times[one] != 1 {
					t.Errorf("log %d was exported %d times", one, times[one])
				}
			}
		}
		p.stop()
	})
}
