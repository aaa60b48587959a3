package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDataFolderIsPrivate checks the permissions of a new data folder and of one
// that other users could read.
func TestDataFolderIsPrivate(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, data)
	p.log(t, entry{word: "zqprivate1", tokens: 1})
	p.search(t, object{})
	checkPrivate(t, data)
	p.stop()
	checkPrivate(t, data)

	foreign := filepath.Join(data, "notes.txt")
	if err := os.WriteFile(foreign, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, data)
	p = start(t, data)
	if said := p.stderr.String(); !strings.Contains(said, "removed the permissions of other users") {
		t.Errorf("the change was not logged:\n%s", said)
	}
	if info, err := os.Stat(foreign); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("a file of somebody else has the mode %v (%v)", info.Mode(), err)
	}
	if err := os.Remove(foreign); err != nil {
		t.Fatal(err)
	}
	checkPrivate(t, data)
}

// open lets all users read everything but the secret key.
func open(t *testing.T, data string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, file fs.DirEntry, err error) error {
		switch {
		case err != nil || file.Name() == "secret.key":
			return err
		case file.IsDir():
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkPrivate(t *testing.T, data string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(data, func(path string, file fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := file.Info()
		if err != nil {
			return err
		}
		seen++
		want := fs.FileMode(0o600)
		if file.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || seen < 6 {
		t.Errorf("%d files, %v", seen, err)
	}
}
