package secret_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/secret"
)

func TestKeyFileIsCreatedOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "secret.key")
	first, made, err := secret.LoadKey(path, "one")
	if err != nil || !made {
		t.Fatalf("made = %t, %v", made, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has the mode %v (%v), want 0600", info.Mode(), err)
	}
	again, made, err := secret.LoadKey(path, "one")
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
			_, made, err := secret.LoadKey(path, "one")
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
	if _, _, err := secret.LoadKey(folder, "one"); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(folder, "missing", "secret.key")
	if _, _, err := secret.LoadKey(missing, "one"); err == nil || !strings.Contains(err.Error(), "make the secret key file "+missing) {
		t.Errorf("no folder: %v", err)
	}
}

func TestKeyFileNamesItsInstallation(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret.key")
	check.Equal(t, "without a file", check.Must(secret.KeyInstallation(path))(t), "")
	check.OK(t, secret.SetKeyInstallation(path, "one"))
	if _, err := os.Stat(path); err == nil {
		t.Error("a file without a key was created")
	}
	made, _, err := secret.LoadKey(path, "one")
	check.OK(t, err)
	check.OK(t, secret.SetKeyInstallation(path, "two")) // does not replace one
	check.Equal(t, "installation", check.Must(secret.KeyInstallation(path))(t), "one")
	text := string(check.Must(os.ReadFile(path))(t))
	if got, err := secret.ParseKey(text); err != nil || got != made {
		t.Errorf("the text of the file is not the key: %v", err)
	}
}

// Earlier versions wrote a line with the key only.
func TestInstallationIsAddedToKeyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret.key")
	const old = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f\n"
	check.OK(t, os.WriteFile(path, []byte(old), 0o600))
	check.Equal(t, "before", check.Must(secret.KeyInstallation(path))(t), "")
	check.OK(t, secret.SetKeyInstallation(path, "one"))
	check.Equal(t, "after", check.Must(secret.KeyInstallation(path))(t), "one")
	key, made, err := secret.LoadKey(path, "two")
	if want := check.Must(secret.ParseKey(old))(t); made || err != nil || key != want {
		t.Errorf("the key has changed: made = %t, %v", made, err)
	}
	check.Equal(t, "mode", check.Must(os.Stat(path))(t).Mode(), 0o600)
}
