package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

const someRules = `{"rules": [
	{"name": "mail", "detector": "email", "action": "hash"},
	{"name": "reference", "pattern": "REF-[0-9]+", "action": "mask", "enabled": false},
	{"name": "customer", "path": "metadata.customer.**", "action": "drop"}
]}`

// rulesFile writes rules to a file.
func rulesFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "rules.json")
	check.OK(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// Rules are set from a file, listed in the form that can be set again, and tested.
func TestRedactionCommands(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	check.Must(command(t, data, "workspace", "create", "other"))(t)
	said := check.Must(command(t, data, "redaction", "set", rulesFile(t, someRules)))(t)
	check.Equal(t, "the message", said, "workspace default has 3 redaction rules")

	listed := check.Must(command(t, data, "redaction", "list"))(t)
	for _, part := range []string{"mail", "email", "hash", "REF-[0-9]+", "false", "metadata.customer.**"} {
		if !strings.Contains(listed, part) {
			t.Errorf("no %q in %s", part, listed)
		}
	}
	text := check.Must(command(t, data, "redaction", "list", "--json"))(t)
	check.Must(command(t, data, "redaction", "set", rulesFile(t, text), "--workspace", "other"))(t)
	check.Equal(t, "listed", check.Must(command(t, data, "redaction", "list", "--workspace", "other"))(t), listed)

	tests := map[string]struct {
		args []string
		want string
	}{
		"rules that are set": {[]string{"ann@example.com wrote REF-12"}, "[mail:…] wrote REF-12\nRULE       REPLACED\nmail       1\nreference  0\ncustomer   0"},
		"a path":             {[]string{"Ann", "--path", "metadata.customer.name"}, "\nRULE       REPLACED\nmail       0\nreference  0\ncustomer   1"},
		"rules of a file": {
			[]string{"REF-12, REF-13", "--rules", rulesFile(t, `{"rules": [{"name": "reference", "pattern": "REF-[0-9]+", "action": "mask"}]}`)},
			"[reference], [reference]\nRULE       REPLACED\nreference  2",
		},
	}
	for name, test := range tests {
		got := check.Must(command(t, data, append([]string{"redaction", "test"}, test.args...)...))(t)
		if want := strings.TrimSpace(test.want); got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
	check.Equal(t, "listed", check.Must(command(t, data, "redaction", "list"))(t), listed)
	if audit := check.Must(command(t, data, "audit", "--workspace", "default"))(t); !strings.Contains(strings.ToLower(audit), "redaction") {
		t.Errorf("nothing of it in %s", audit)
	}
}

// Rules that are not valid change nothing.
func TestRedactionRefusesRules(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	check.Must(command(t, data, "redaction", "set", rulesFile(t, someRules)))(t)
	listed := check.Must(command(t, data, "redaction", "list"))(t)
	for name, test := range map[string]struct{ rules, fails string }{
		"no JSON":          {`{`, "the rules are not valid"},
		"no rules":         {`{}`, `no member "rules"`},
		"more":             {`{"rules": []} {}`, "there is more"},
		"a misspelt":       {`{"rules": [{"name": "a", "detecter": "email", "action": "mask"}]}`, "detecter"},
		"a wrong detector": {`{"rules": [{"name": "a", "detector": "mood", "action": "mask"}]}`, "mood"},
		"a wrong pattern":  {`{"rules": [{"name": "a", "pattern": "(", "action": "mask"}]}`, "regular expression"},
	} {
		file := rulesFile(t, test.rules)
		for _, args := range [][]string{{"set", file}, {"test", "text", "--rules", file}} {
			if printed, err := command(t, data, append([]string{"redaction"}, args...)...); err == nil || !strings.Contains(err.Error(), test.fails) {
				t.Errorf("%s: %v printed %q, failed with %v", name, args[0], printed, err)
			}
		}
	}
	if _, err := command(t, data, "redaction", "set", filepath.Join(data, "missing.json")); err == nil {
		t.Error("a missing file is accepted")
	}
	if _, err := command(t, data, "redaction", "list", "--workspace", "nobody"); err == nil {
		t.Error("an unknown workspace is accepted")
	}
	check.Equal(t, "listed", check.Must(command(t, data, "redaction", "list"))(t), listed)
}
