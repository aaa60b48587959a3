package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// revocationDelay is how long a running server may accept a revoked key.
const revocationDelay = 5 * time.Second

func TestKeyCommandsWhileServing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	checkKeyCommands(t, start(t, data), setup{data: data})
}

// checkKeyCommands creates, lists and revokes a key while the server runs.
func checkKeyCommands(t *testing.T, p *program, s setup) {
	t.Helper()
	secret := strings.TrimSpace(s.run(t, "key", "create", "--name", "laptop").must(t))
	if !regexp.MustCompile(`^pl_\w{20,}$`).MatchString(secret) {
		t.Fatalf("key create printed %q, want only a key", secret)
	}
	id := p.withKey(secret).log(t, entry{word: "zqkeyed1", tokens: 1})
	if err := p.checkStored(entry{word: "zqkeyed1", tokens: 1}, id); err != nil {
		t.Errorf("keys of one workspace do not see the same logs: %v", err)
	}

	p.withKey(secret).publish(t, publication("keyed", "Hello"))
	if got := p.fetch(t, "keyed", nil); got.Version != 1 {
		t.Errorf("keys of one workspace do not see the same templates: %+v", got)
	}

	list := s.run(t, "key", "list").must(t)
	row := regexp.MustCompile(`(?m)^(\d+) +pl_…` + secret[len(secret)-4:] + ` +laptop +- +\d\S+Z +\S+ +- +-$`).FindStringSubmatch(list)
	if row == nil || strings.Contains(list, secret) {
		t.Fatalf("key list:\n%swant a line for the key, without its secret", list)
	}

	s.run(t, "key", "revoke", row[1]).must(t)
	revoked := time.Now()
	eventually(t, func() error {
		a, err := p.withKey(secret).call(http.MethodPost, searchPath, object{})
		if err != nil {
			return err
		}
		return checkFailure(a, http.StatusUnauthorized, "unauthorized")
	})
	if took := time.Since(revoked); took > revocationDelay {
		t.Errorf("the revoked key was refused only after %s", took)
	}
	a, err := p.withKey(secret).call(http.MethodPost, templatePath("keyed"), nil)
	if err == nil {
		err = checkFailure(a, http.StatusUnauthorized, "unauthorized")
	}
	if err != nil {
		t.Errorf("fetch with the revoked key: %v", err)
	}
	list = s.run(t, "key", "list").must(t)
	if !regexp.MustCompile(`(?m)^` + row[1] + ` .* laptop +- +\d\S+Z +\S+ +- +\d{4}-\S+Z$`).MatchString(list) {
		t.Errorf("key list:\n%swant the time of revocation of key %s", list, row[1])
	}
	p.search(t, object{}) // other keys still work
}

func TestAccessCommandErrors(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start(t, data).stop()
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"revoke what is no id", []string{"key", "revoke", "laptop"}, "laptop"},
		{"revoke an unknown id", []string{"key", "revoke", "4711"}, "not found"},
		{"unknown workspace", []string{"key", "list", "--workspace", "elsewhere"}, "not found"},
		{"revoke nothing", []string{"key", "revoke"}, "1 arg"},
		{"rotate what is no id", []string{"key", "rotate", "laptop"}, "laptop"},
		{"rotate an unknown id", []string{"key", "rotate", "4711"}, "not found"},
		{"unknown role", []string{"key", "create", "--role", "emperor"}, `Unknown role "emperor": use one of Ingest, Viewer,`},
		{"a key that has ended", []string{"key", "create", "--expires-in-days", "-1"}, "Input should be in the future"},
		{"workspace that is taken", []string{"workspace", "create", "default"}, "already exists"},
		{"workspace without a name", []string{"workspace", "create", ""}, "name must not be blank"},
		{"rename an unknown workspace", []string{"workspace", "rename", "elsewhere", "here"}, "not found"},
		{"rename to nothing", []string{"workspace", "rename", "default"}, "2 arg"},
		{"disable an unknown workspace", []string{"workspace", "disable", "elsewhere"}, "not found"},
		{"invite what is no address", []string{"user", "invite", "ann"}, "valid email address"},
		{"invite an owner", []string{"user", "invite", "ann@example.com", "--role", "owner"}, "Owner is not a role of members"},
		{"roles of a stranger", []string{"user", "roles", "nobody@example.com"}, "not found"},
		{"remove a stranger", []string{"user", "remove", "nobody@example.com"}, "not found"},
		{"link for a stranger", []string{"user", "link", "nobody@example.com"}, "not found"},
		{"audit log of an unknown workspace", []string{"audit", "--workspace", "elsewhere"}, "not found"},
		{"no entries at all", []string{"audit", "--n", "0"}, "at least 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if err := checkRefused(setup{data: data}.run(t, test.args...), test.want); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkRefused returns an error unless the command failed with one message that
// contains a text.
func checkRefused(r result, want string) error {
	for line := range strings.Lines(r.stderr) {
		message, ok := strings.CutPrefix(line, "promptuary: ")
		if ok && r.code == 1 && strings.Contains(strings.ToLower(message), strings.ToLower(want)) {
			return nil
		}
	}
	return fmt.Errorf("exit code %d and %q, want 1 and a message with %q", r.code, r.stderr, want)
}
