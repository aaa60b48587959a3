package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestCodeCannotChangeTheDataFolder runs Python code that attacks the server's
// files.
func TestCodeCannotChangeTheDataFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, data, "--python-steps", "python3")
	code := "import os\n" +
		"refused = 0\n" +
		"for path in ('" + data + "', '" + data + "/secret.key'):\n" +
		"    for attack in (lambda: os.chmod(path, 0o777), lambda: os.unlink(path), lambda: os.utime(path, (1, 1)), lambda: os.setxattr(path, 'user.x', b'x')):\n" +
		"        try:\n            attack()\n        except PermissionError:\n            refused += 1\n" +
		"return refused"
	definition := object{"type": "function", "function": object{"name": "f", "parameters": object{"type": "object", "properties": object{}}}}
	p.post(t, "/api/public/v2/tool-registry", object{
		"name": "f", "tool_definition": definition, "execution": object{"type": "code", "language": "python", "code": code},
	}, http.StatusCreated)
	answer := p.post(t, "/api/public/v2/tool-registry/f/test-execute", object{"inputs": object{}}, http.StatusOK)
	if !strings.Contains(string(answer.body), `"result":8`) {
		t.Errorf("got %s", answer.body)
	}
	if log := p.stderr.String() + p.stdout.String(); !strings.Contains(log, "language=python system_calls_filtered=true files_hidden=true") {
		t.Errorf("the log does not say how code is isolated: %s", log)
	}
	checkPrivate(t, data)
}
