package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// logsCopy runs `logs copy` and returns what it prints.
func logsCopy(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRootCommand()
	root.SetArgs(append([]string{"logs", "copy"}, args...))
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestLogsCopyRefuses(t *testing.T) {
	t.Parallel()
	const nowhere = "clickhouse://user:hush@127.0.0.1:1/none"
	address := clickhousetest.Start(t)
	folder := func() string {
		dir := t.TempDir()
		check.Must(command(t, dir, "demo", "--n", "3", "--registry=false", "--min-free-disk", "-1"))(t)
		return dir
	}
	ours, theirs, empty := folder(), folder(), t.TempDir()
	refused := func(want string, args ...string) {
		t.Helper()
		out, err := logsCopy(t, args...)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error()+out, "hush") {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
	refused("set --from and --to")
	refused("set --from and --to", "--from", ours)
	refused("from a data folder to a clickhouse:// address", "--from", ours, "--to", empty)
	refused("from a data folder to a clickhouse:// address", "--from", nowhere, "--to", address)
	refused("the data folder has no request logs", "--from", empty, "--to", address)
	refused("the data folder has no request logs", "--from", filepath.Join(empty, "missing"), "--to", address)
	refused("no server answers", "--from", ours, "--to", nowhere)
	refused("no server answers", "--from", nowhere, "--to", empty)
	refused("there is no database missing", "--from", ours, "--to", address[:strings.LastIndex(address, "/")]+"/missing")
	refused("the database has no request logs", "--from", address, "--to", empty)
	check.Must(logsCopy(t, "--from", ours, "--to", address))(t)
	refused("the target belongs to installation", "--from", theirs, "--to", address)
	refused("is not complete", "--from", address, "--to", empty)

	lock := check.Must(os.OpenFile(filepath.Join(ours, "promptuary.lock"), os.O_RDWR|os.O_CREATE, 0o600))(t)
	check.OK(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX))
	check.Must(logsCopy(t, "--from", ours, "--to", address))(t)
	refused("in use by another promptuary process", "--from", ours, "--to", address, "--finish")
	check.OK(t, lock.Close())
	check.Must(logsCopy(t, "--from", ours, "--to", address, "--finish"))(t)
	refused("has request logs already", "--from", ours, "--to", address)
	refused("belong to installation", "--from", address, "--to", theirs)
	refused("has request logs already", "--from", address, "--to", ours)
}

// TestLogsCopy copies the logs of the demo to ClickHouse and back, and verifies
// each.
func TestLogsCopy(t *testing.T) {
	t.Parallel()
	data, back, address := t.TempDir(), t.TempDir(), clickhousetest.Start(t)
	check.Must(command(t, data, "demo", "--n", "300", "--registry=false", "--min-free-disk", "-1"))(t)
	verify := func(data, logs string, status int, words ...string) {
		t.Helper()
		out, err := command(t, data, "verify", "--logs", logs)
		if got := statusOf(err); got != status {
			t.Fatalf("verify exits with %d (%v), want %d:\n%s", got, err, status, out)
		}
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("verify does not say %q:\n%s", word, out)
			}
		}
	}
	step := func(want string, args ...string) {
		t.Helper()
		if out, err := logsCopy(t, args...); err != nil || !strings.Contains(out, want) {
			t.Errorf("%q: %v, want %q in\n%s", args, err, want, out)
		}
	}
	verify(data, address, 1, "no server has used the database")
	step("Run the command again", "--from", data, "--to", address)
	verify(data, address, 1, "INCOMPLETE")
	step("The copy is complete and verified", "--from", data, "--to", address, "--finish")
	verify(data, address, 0, "300 request logs", "everything is sound")
	verify(t.TempDir(), "clickhouse://user:hush@127.0.0.1:1/none", 2)
	if _, err := command(t, data, "repair", "--logs", address); statusOf(err) != 2 || !strings.Contains(err.Error(), "restore them from a backup") {
		t.Errorf("repair: %v", err)
	}

	step("Run the command again", "--from", address, "--to", back)
	verify(back, "duckdb", 1, "INCOMPLETE")
	step("The copy is complete and verified", "--from", address, "--to", back, "--finish")
	verify(back, "duckdb", 0, "300 request logs", "everything is sound")

	check.Must(clickhousetest.Query(address, "TRUNCATE TABLE term"))(t)
	verify(data, address, 1, "are found only as they are written")
	check.Must(clickhousetest.Query(address, "INSERT INTO log SELECT * FROM log ORDER BY id LIMIT 1"))(t)
	verify(data, address, 1, "1 request logs of month", "are there twice")
	verify(folderOf(t, "another"), address, 1, "belongs to installation")
}

// folderOf returns a data folder of an installation.
func folderOf(t *testing.T, installation string) string {
	t.Helper()
	data := t.TempDir()
	check.OK(t, os.Mkdir(filepath.Join(data, "logs"), 0o700))
	check.OK(t, os.WriteFile(filepath.Join(data, "logs", "installation"), []byte(installation+"\n"), 0o600))
	return data
}
