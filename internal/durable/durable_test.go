package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/durable"
)

func TestWriteFileReplacesContentAndMode(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "note")
	check.OK(t, os.WriteFile(path, []byte("a long old text"), 0o644))
	check.OK(t, durable.WriteFile(path, []byte("new")))
	check.Equal(t, "content", string(check.Must(os.ReadFile(path))(t)), "new")
	check.Equal(t, "mode", check.Must(os.Stat(path))(t).Mode(), 0o600)
	check.Equal(t, "files", len(check.Must(os.ReadDir(folder))(t)), 1)
}

func TestWriteFileLeavesNothingOnFailure(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "note")
	check.OK(t, os.Mkdir(path, 0o700)) // a file cannot replace a folder
	if err := durable.WriteFile(path, []byte("new")); err == nil {
		t.Error("a folder was replaced")
	}
	check.Equal(t, "files", len(check.Must(os.ReadDir(folder))(t)), 1)
}
