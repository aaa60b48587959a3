package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	printedKey = regexp.MustCompile(`(?m)^  (pl_\S+)$`)
	// printedCommand matches a printed command, up to the blank line.
	printedCommand = regexp.MustCompile(`(?ms)^  (curl .*?)\n\n`)
)

// waitGreeting waits for the whole greeting, which ends with the last command.
func waitGreeting(t *testing.T, p *program, commands int) []string {
	t.Helper()
	var found []string
	eventually(t, func() error {
		found = nil
		for _, match := range printedCommand.FindAllStringSubmatch(p.stdout.String(), -1) {
			found = append(found, match[1])
		}
		if len(found) != commands {
			return fmt.Errorf("%d commands were printed, want %d:\n%s", len(found), commands, p.stdout)
		}
		return nil
	})
	return found
}

// shell runs a printed command.
func shell(t *testing.T, command string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", strings.Replace(command, "curl ", "curl --silent --show-error --fail-with-body ", 1))
	cmd.Env = append(os.Environ(), env...)
	return runCommand(t, cmd).must(t)
}

func TestFirstStart(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	first := setup{data: data, noKey: true}.start(t)
	commands := waitGreeting(t, first, 2)

	keys := printedKey.FindAllStringSubmatch(first.stdout.String(), -1)
	if len(keys) != 1 {
		t.Fatalf("%d keys were printed, want 1:\n%s", len(keys), first.stdout)
	}
	key := keys[0][1]
	logged := mustDecode[created](t, answer{body: []byte(shell(t, commands[0]))})
	found := mustDecode[page](t, answer{body: []byte(shell(t, commands[1]))})
	if found.Total != 1 || found.Items[0].ID != logged.ID {
		t.Errorf("the printed search found %+v, want log %d", found, logged.ID)
	}
	first.stop()
	checkNoSecret(t, data, key)

	second := setup{data: data, noKey: true}.start(t)
	if strings.Contains(second.stdout.String(), "pl_") {
		t.Errorf("the second start printed a key:\n%s", second.stdout)
	}
	if total := second.withKey(key).search(t, object{}).Total; total != 1 {
		t.Errorf("the key of the first start finds %d logs at the second, want 1", total)
	}
}

func TestGreetingWithConfiguredKey(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	commands := waitGreeting(t, p, 2)
	if strings.Contains(p.stdout.String(), testKey) {
		t.Errorf("a configured key was printed:\n%s", p.stdout)
	}
	shell(t, commands[0], "PROMPTUARY_API_KEY="+testKey)
	found := mustDecode[page](t, answer{body: []byte(shell(t, commands[1], "PROMPTUARY_API_KEY="+testKey))})
	if found.Total != 1 {
		t.Errorf("the printed search found %d logs, want 1", found.Total)
	}
}

// checkNoSecret fails the test if a file of the data folder contains the
// secret, or if none contains its last four characters, which identify it.
func checkNoSecret(t *testing.T, data, secret string) {
	t.Helper()
	known := false
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, part := range []string{secret, strings.TrimPrefix(secret, "pl_")} {
			if bytes.Contains(content, []byte(part)) {
				t.Errorf("%s contains the secret of the key", path)
			}
		}
		known = known || bytes.Contains(content, []byte(secret[len(secret)-4:]))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !known {
		t.Error("no file knows the key: were they written elsewhere?")
	}
}

// checkNoTrace fails the test if a file of the data folder contains one of the
// secrets.
func checkNoTrace(t *testing.T, data string, secrets ...string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s contains the secret %s", path, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
