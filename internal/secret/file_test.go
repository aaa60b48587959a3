package secret_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/secret"
)

func TestKeyFileIsCreatedOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "secret.key")
	first, made, err := secret.LoadKey(path)
	if err != nil || !made {
		t.Fatalf("made = %t, %v", made, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has the mode %v (%v), want 0600", info.Mode(), err)
	}
	again, made, err := secret.LoadKey(path)
	if err != nil || made || again != first {
		t.Errorf("the second start got another key: made = %t, %v", made, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v), want the file alone", entries, err)
	}
}

func TestRejectedKeyFiles(t *testing.T) {
	t.Parallel()
	const good = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f\n"
	for name, test := range map[string]struct {
		content string
		mode    os.FileMode
		want    string // PATH stands for the path of the file
	}{
		"read by all":       {good, 0o644, "is open to other users (mode 0644): run chmod 600 PATH"},
		"read by the group": {good, 0o640, "is open to other users (mode 0640): run chmod 600 PATH"},
		"written by others": {good, 0o602, "is open to other users (mode 0602): run chmod 600 PATH"},
		"empty":             {"", 0o600, "the secret key in PATH must be 32 bytes in base64 or hex"},
		"no key":            {"hush-hush", 0o600, "the secret key in PATH must be 32 bytes in base64 or hex"},
		"huge":              {strings.Repeat(good, 10_000), 0o600, "the secret key in PATH must be 32 bytes in base64 or hex"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "secret.key")
			if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, test.mode); err != nil {
				t.Fatal(err)
			}
			_, made, err := secret.LoadKey(path)
			if want := strings.ReplaceAll(test.want, "PATH", path); made || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("made = %t, error = %v, want %q", made, err, want)
			}
			if err != nil && strings.Contains(err.Error(), "hush") {
				t.Errorf("the error has the content: %v", err)
			}
			if kept, _ := os.ReadFile(path); string(kept) != test.content {
				t.Error("the file was changed")
			}
		})
	}
}

func TestImpossibleKeyFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if _, _, err := secret.LoadKey(folder); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(folder, "missing", "secret.key")
	if _, _, err := secret.LoadKey(missing); err == nil || !strings.Contains(err.Error(), "make the secret key file "+missing) {
		t.Errorf("no folder: %v", err)
	}
}
