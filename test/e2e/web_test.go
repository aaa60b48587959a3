package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// screenshotsEnv names the folder for the screenshots of the documentation, set
// by `make screenshots`. Without it they go to a temporary folder.
const screenshotsEnv = "PROMPTUARY_SCREENSHOTS"

const (
	webEmail    = "owner@localhost"
	webPassword = "a storehouse of words"
)

// TestWebApp drives the web app of a program with demo data in Chromium. The
// scripts in web/, one for each area, report their steps.
func TestWebApp(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("web/*.mjs")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("scripts %v: %v", scripts, err)
	}
	exports := t.TempDir()
	env := append(webEnv(t, startDemo(t, exports)), "WEB_EXPORT_FOLDER="+exports)
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".mjs")
		// The shared helpers, and the script of `make bench`.
		if name == "browser" || name == "speed" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runWebScript(t, script, env)
		})
	}
}

// startDemo starts a program with demo data and sets the password of its owner.
// Exports may be written to a folder.
func startDemo(t *testing.T, exports string) *program {
	t.Helper()
	s := setup{data: t.TempDir(), args: []string{"--allow-targets", "127.0.0.1", "--export-folders", exports}}
	runCommand(t, s.command(t, "demo", "--n", "4000", "--data", s.data)).must(t)
	printed := runCommand(t, s.command(t, "user", "link", webEmail, "--data", s.data)).must(t)
	match := printedToken.FindStringSubmatch(printed)
	if match == nil {
		t.Fatalf("no token in %q", printed)
	}
	p := s.start(t)
	body := fmt.Sprintf(`{"token": %q, "password": %q}`, match[1], webPassword)
	response, err := http.Post(p.address+"/api/admin/session", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("sign-in returned status %d", response.StatusCode)
	}
	return p
}

func webEnv(t *testing.T, p *program) []string {
	t.Helper()
	screenshots := os.Getenv(screenshotsEnv)
	if screenshots == "" {
		screenshots = t.TempDir()
	}
	return []string{"WEB_ADDRESS=" + p.address, "WEB_EMAIL=" + webEmail, "WEB_PASSWORD=" + webPassword, "WEB_SCREENSHOTS=" + screenshots, "WEB_API_KEY=" + testKey}
}

// webStep is a line printed by a script.
type webStep struct {
	Step  string  `json:"step"`
	Error *string `json:"error"`
}

// runWebScript runs a script and reports each of its steps as a test.
func runWebScript(t *testing.T, script string, env []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", script)
	cmd.Env = append(os.Environ(), env...)
	var printed, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &said
	failure := cmd.Run()
	steps := 0
	lines := bufio.NewScanner(&printed)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var step webStep
		if err := json.Unmarshal(lines.Bytes(), &step); err != nil {
			t.Errorf("the script printed %q", lines.Text())
			continue
		}
		steps++
		t.Run(step.Step, func(t *testing.T) {
			if step.Error != nil {
				t.Error(*step.Error)
			}
		})
	}
	if failure != nil && !t.Failed() || steps == 0 {
		t.Errorf("%d steps, then %v\n%s", steps, failure, said.String())
	}
}
