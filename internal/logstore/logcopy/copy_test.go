package logcopy_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/logcopy"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

var corpusLogs = int64(len(logstoretest.Corpus()))

// TestThereAndBack copies a folder that is in use to ClickHouse, with changes
// between the passes, and from there to another folder in the same way.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), clickhousetest.Start(t)
	source, target := openFolder(t, dir, false), openDatabase(t, address, true)
	logstoretest.Fill(t, source.store)
	check.Equal(t, "copied", copied(t, dir, false, target.store).Copied, source.store.LastID())
	if _, err := clickhouse.Open(t.Context(), address, clickhouse.Options{Installation: installation}); err == nil || !strings.Contains(err.Error(), "is not complete") {
		t.Errorf("a server opens a copy that is not complete: %v", err)
	}
	more(t, source.store)
	copied(t, dir, false, target.store)
	verified(t, dir, target.store, corpusLogs+60)
	more(t, source.store)
	source.close(t)
	copied(t, dir, true, target.store)
	source = openFolder(t, dir, false)
	complete(t, finished(t, dir, source.store, target.store), corpusLogs+120)
	sameAnswers(t, source.store, target.store)
	target.close(t)

	used := openDatabase(t, address, false) // as a server does
	back := t.TempDir()
	second := openFolder(t, back, true)
	report := check.Must(logcopy.Store(t.Context(), used.store, second.store, options()))(t)
	check.Equal(t, "copied back", report.Copied, used.store.LastID()-options().HeldBack)
	more(t, used.store)
	more(t, source.store) // which stays the measure
	check.Must(logcopy.Store(t.Context(), used.store, second.store, options()))(t)
	second.close(t)
	if _, err := embedded.Open(t.Context(), back, embedded.Options{}); !errors.Is(err, embedded.ErrCopying) {
		t.Errorf("a server opens a copy that is not complete: %v", err)
	}
	second = openFolder(t, back, true)
	complete(t, check.Must(logcopy.Finish(t.Context(), used.store, nil, second.store, options()))(t), corpusLogs+180)
	second.close(t)
	second = openFolder(t, back, false)
	sameAnswers(t, source.store, second.store)
	if _, err := logcopy.Store(t.Context(), used.store, second.store, options()); !errors.Is(err, logcopy.ErrUsed) {
		t.Errorf("copied to a store in use: %v", err)
	}
}

// TestInterruptedCopies interrupts a copy after every second part, and by a
// database that fails at each of its statements.
func TestInterruptedCopies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proxy := clickhousetest.NewProxy(t, clickhousetest.Start(t))
	source := openFolder(t, dir, false)
	logstoretest.Fill(t, source.store)
	more(t, source.store)
	target := openDatabase(t, proxy.Address, true)
	for i, statement := range []string{
		"INSERT INTO term", "INSERT INTO log", "INSERT INTO copy", "INSERT INTO span", "INSERT INTO closure", "INSERT INTO change",
	} {
		proxy.Break(clickhousetest.DiskFull, -1, statement)
		if _, err := follow(t.Context(), t, dir, false, 100, target.store, options()); err == nil || !strings.Contains(err.Error(), "disk of the database of request logs is full") {
			t.Errorf("%s: %v, want a message about the disk", statement, err)
		}
		proxy.Heal()
		if i < 3 {
			_ = interrupt(t, dir, target.store) // it may have reached the end
		}
		target.close(t)
		target = openDatabase(t, proxy.Address, true)
	}
	for interrupt(t, dir, target.store) != nil {
		continue
	}
	source.close(t)
	source = openFolder(t, dir, false)
	complete(t, finished(t, dir, source.store, target.store), corpusLogs+60)
	rows := check.Must(clickhousetest.Query(proxy.Address, "SELECT count() - uniqExact(id) FROM log"))(t)
	check.Equal(t, "logs that are there twice", rows, "0\n")
}

// interrupt copies two parts.
func interrupt(t *testing.T, dir string, to logcopy.Target) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts, told := options(), 0
	opts.Progress = func(string, int64, int64) {
		if told++; told == 3 {
			cancel()
		}
	}
	_, err := follow(ctx, t, dir, false, 40, to, opts)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return err
}

// TestCopyOfARunningStore copies while another goroutine writes.
func TestCopyOfARunningStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, target := openFolder(t, dir, false), openDatabase(t, clickhousetest.Start(t), true)
	logstoretest.Fill(t, source.store)
	written := make(chan error)
	ctx, last := t.Context(), source.store.LastID()
	go func() {
		defer close(written)
		for i := range int64(60) {
			l := *logstoretest.Corpus()[i]
			l.ID = last + 1 + i
			score := reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: reqlog.Annotation{Score: &reqlog.Score{Name: "n", Value: i % 100}}}
			older := reqlog.Change{Workspace: l.Workspace, ID: logstoretest.Corpus()[i].ID, Annotation: score.Annotation}
			if err := source.store.Write(ctx, reqlog.Batch{Logs: []*reqlog.Log{&l}, Changes: []reqlog.Change{score, older}}); err != nil {
				written <- err
			}
		}
	}()
	for running := true; running; {
		select {
		case err, ok := <-written:
			check.OK(t, err)
			running = ok
		default:
			copied(t, dir, false, target.store)
		}
	}
	source.close(t)
	copied(t, dir, true, target.store)
	source = openFolder(t, dir, false)
	complete(t, finished(t, dir, source.store, target.store), corpusLogs+60)
}

// TestCopyOfDamage copies everything but what cannot be read.
func TestCopyOfDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source, target := openFolder(t, dir, false), openDatabase(t, clickhousetest.Start(t), true)
	logstoretest.Fill(t, source.store)
	more(t, source.store)
	source.close(t)
	path := filepath.Join(dir, "journal", "00000000.journal")
	bytes := check.Must(os.ReadFile(path))(t)
	for _, part := range []float64{0.2, 0.5, 0.8, 0.97} {
		bytes[int(part*float64(len(bytes)))] ^= 0xff
	}
	check.OK(t, os.WriteFile(path, bytes, 0o600))
	report := copied(t, dir, true, target.store)
	check.Equal(t, "damaged parts", len(report.Damage), 4)
	source = openFolder(t, dir, false)
	report = finished(t, dir, source.store, target.store)
	if len(report.LostLogs) == 0 || !report.Complete {
		t.Errorf("lost %v, complete: %v, different: %+v", report.LostLogs, report.Complete, report.Unequal())
	}
	for _, id := range report.LostLogs {
		l := logstoretest.Corpus()[0]
		if err := target.store.Exists(t.Context(), l.Workspace, id); err == nil {
			t.Errorf("log %d is said to be lost, but is in the copy", id)
		}
	}
}

// TestDifferentCopies names the days on which a copy was changed.
func TestDifferentCopies(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), clickhousetest.Start(t)
	source, target := openFolder(t, dir, false), openDatabase(t, address, true)
	logstoretest.Fill(t, source.store)
	copied(t, dir, true, target.store)
	changed := logstoretest.Corpus()[7]
	check.Must(clickhousetest.Query(address, fmt.Sprintf("ALTER TABLE log UPDATE output = concat(output, ' ') WHERE id = %d SETTINGS mutations_sync = 1", changed.ID)))(t)
	report := finished(t, dir, source.store, target.store)
	days := report.Unequal()
	if len(days) != 1 || report.Complete {
		t.Fatalf("complete: %v, different: %+v", report.Complete, days)
	}
	check.Equal(t, "day", days[0].Day, changed.Start.Time().Format("2006-01-02"))
	check.Equal(t, "number", days[0].Copy.Count, days[0].Source.Count)
	check.Must(clickhousetest.Query(address, fmt.Sprint("DELETE FROM log WHERE id = ", changed.ID)))(t)
	if _, err := finish(t, dir, source.store, target.store); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("request log %d is not in the copy", changed.ID)) {
		t.Errorf("got %v", err)
	}
}

// TestTouchedDaysAreComparedAgain changes a copy after it was compared, on days
// whose logs get a new log, an annotation or a price.
func TestTouchedDaysAreComparedAgain(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), clickhousetest.Start(t)
	source, target := openFolder(t, dir, false), openDatabase(t, address, true)
	var logs []*reqlog.Log
	for i, l := range logstoretest.Corpus()[:6] {
		own := *l
		own.Workspace, own.Start = logstoretest.Home, reqlog.Micros(1_700_000_000_000_000+int64(i/2)*24*3600*1_000_000)
		logs = append(logs, &own)
	}
	check.OK(t, source.store.Write(t.Context(), reqlog.Batch{Logs: logs}))
	copied(t, dir, false, target.store)
	verified(t, dir, target.store, 6)
	late := *logs[0]
	late.ID = logs[5].ID + 1
	batch := logstoretest.Annotating(logstoretest.Home, logs[2].ID, reqlog.Annotation{GroupID: 7})
	batch.Logs = []*reqlog.Log{&late}
	batch.Prices = logstoretest.Repricing(logstoretest.Home, 3, reqlog.NewPrice{ID: logs[4].ID, USD: 3}).Prices
	check.OK(t, source.store.Write(t.Context(), batch))
	copied(t, dir, true, target.store)
	check.Must(clickhousetest.Query(address, fmt.Sprintf("ALTER TABLE log UPDATE output = concat(output, ' ') WHERE id IN (%d, %d, %d) SETTINGS mutations_sync = 1",
		logs[1].ID, logs[3].ID, logs[5].ID)))(t)
	report := finished(t, dir, source.store, target.store)
	check.Equal(t, "different days", len(report.Unequal()), 3)
	check.Equal(t, "days", len(report.Days), 3)
}

// TestRefusedTargets copies to stores with other logs, and from a journal that is
// not the one of before.
func TestRefusedTargets(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), clickhousetest.Start(t)
	source, target := openFolder(t, dir, false), openDatabase(t, address, true)
	logstoretest.Fill(t, source.store)
	copied(t, dir, true, target.store)
	refused := func(dir, installation, want string) {
		t.Helper()
		opts := options()
		opts.Installation = installation
		if _, err := follow(t.Context(), t, dir, true, 100, target.store, opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	refused(dir, "another", "a part of the request logs of installation ours")
	other := t.TempDir()
	shorter := openFolder(t, other, false)
	check.OK(t, shorter.store.Write(t.Context(), reqlog.Batch{Logs: logstoretest.Corpus()[:5]}))
	refused(other, installation, "has changed where it was read before")
	check.OK(t, target.store.SaveCopyState(t.Context(), nil))
	refused(dir, installation, "has request logs already")
}

// TestFullDiskOfAFolder copies to a folder whose disk is full.
func TestFullDiskOfAFolder(t *testing.T) {
	t.Parallel()
	source := openFolder(t, t.TempDir(), false)
	check.OK(t, source.store.Write(t.Context(), reqlog.Batch{Logs: logstoretest.Corpus()[:5]}))
	target := check.Must(embedded.Open(t.Context(), t.TempDir(), embedded.Options{MinFreeMB: 1 << 40, Copying: true}))(t)
	defer func() { check.OK(t, target.Close()) }()
	if _, err := logcopy.Finish(t.Context(), source.store, nil, target, options()); err == nil || !strings.Contains(err.Error(), "The disk of the data folder is full") {
		t.Errorf("got %v", err)
	}
}
