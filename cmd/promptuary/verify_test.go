package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/check"
)

// statusOf returns the status that the program exits with.
func statusOf(err error) int {
	var status exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return status.code
	}
	return 1
}

func TestVerifyAndRepair(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	check.Must(command(t, data, "demo", "--n", "300", "--registry=false", "--min-free-disk", "-1"))(t)
	run := func(name string, status int, words ...string) {
		t.Helper()
		out, err := command(t, data, name)
		if got := statusOf(err); got != status {
			t.Fatalf("%s exits with %d (%v), want %d:\n%s", name, got, err, status, out)
		}
		for _, word := range words {
			if !strings.Contains(out, word) {
				t.Errorf("%s does not say %q:\n%s", name, word, out)
			}
		}
	}
	run("verify", 0, "300 request logs", "everything is sound")
	segment := filepath.Join(data, "logs", "journal", "00000000.journal")
	bytes, err := os.ReadFile(segment)
	check.OK(t, err)
	bytes[len(bytes)/2] ^= 0xff
	check.OK(t, os.WriteFile(segment, bytes, 0o600))
	run("verify", 1, "DAMAGED journal", "LOST request log ")
	lock, err := os.OpenFile(filepath.Join(data, "promptuary.lock"), os.O_RDWR, 0)
	check.OK(t, err)
	check.OK(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX))
	run("verify", 2)
	run("repair", 2)
	check.OK(t, lock.Close())
	run("repair", 0, "DAMAGED journal", "LOST request log ", "set aside: ")
	run("verify", 0, "everything is sound")
	catalog := filepath.Join(data, "catalog.db")
	bytes, err = os.ReadFile(catalog)
	check.OK(t, err)
	for i := len(bytes) / 2; i < len(bytes)/2+8192; i++ {
		bytes[i] = 0x5a
	}
	check.OK(t, os.WriteFile(catalog, bytes, 0o600))
	run("verify", 1, "DAMAGED catalog")
	run("repair", 1, "restore it from a backup")
}
