// Package deploy checks the files in deploy: with the parsers and schemas of the
// programs that read them, and nginx by running it. Nothing is built or deployed.
package deploy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

const folder = "../../deploy"

func read(t *testing.T, path string) string {
	t.Helper()
	return string(check.Must(os.ReadFile(filepath.Join(folder, path)))(t))
}

// variant writes a file of deploy with a text replaced to a temporary folder.
func variant(t *testing.T, path, before, after string) string {
	t.Helper()
	text := read(t, path)
	if !strings.Contains(text, before) {
		t.Fatalf("%s does not contain %q", path, before)
	}
	changed := filepath.Join(t.TempDir(), filepath.Base(path))
	check.OK(t, os.WriteFile(changed, []byte(strings.ReplaceAll(text, before, after)), 0o600))
	return changed
}

// TestFilesAreValid also checks that mistakes are found.
func TestFilesAreValid(t *testing.T) {
	t.Parallel()
	wrong := map[string]string{
		"dockerfile=" + variant(t, "Dockerfile", "HEALTHCHECK", "HEALTHCHEK"):                                "Unknown instruction: HEALTHCHEK",
		"compose=" + variant(t, "compose/compose.yaml", "stop_grace_period", "stop_grace"):                   `"additionalProperty":"stop_grace"`,
		"kubernetes=" + variant(t, "kubernetes/promptuary.yaml", "replicas: 3", "replica: 3"):                `'"replica"' does not exist in type`,
		"kubernetes=" + variant(t, "kubernetes/promptuary.yaml", "maxUnavailable: 1", "maxUnavailable: [1]"): "maxUnavailable must be string",
	}
	arguments := []string{"check.mjs", "dockerfile=" + folder + "/Dockerfile", "compose=" + folder + "/compose/compose.yaml",
		"kubernetes=" + folder + "/kubernetes/promptuary.yaml", "kubernetes=" + folder + "/kubernetes/secret.example.yaml"}
	for argument := range wrong {
		arguments = append(arguments, argument)
	}
	output, err := exec.Command("node", arguments...).Output()
	if err == nil {
		t.Error("the mistakes were not found")
	}
	problems := strings.Split(string(output), "\n")
	for _, problem := range problems {
		if strings.HasPrefix(problem, folder) {
			t.Error(problem)
		}
	}
	for argument, want := range wrong {
		_, path, _ := strings.Cut(argument, "=")
		if !found(problems, path, want) {
			t.Errorf("%s: not found: %s\n%s", path, want, output)
		}
	}
}

func found(problems []string, path, want string) bool {
	for _, problem := range problems {
		if strings.HasPrefix(problem, path) && strings.Contains(problem, want) {
			return true
		}
	}
	return false
}

func TestUnitIsValid(t *testing.T) {
	t.Parallel()
	program := check.Must(os.Executable())(t)
	verify := func(path string) error {
		output, err := exec.Command("systemd-analyze", "verify", "--man=no", path).CombinedOutput()
		if err != nil || strings.Contains(string(output), path) {
			return fmt.Errorf("%w: %s", err, output)
		}
		return nil
	}
	check.OK(t, verify(variant(t, "systemd/promptuary.service", "/usr/local/bin/promptuary", program)))
	if verify(variant(t, "systemd/promptuary.service", "ProtectHome=yes", "ProtectHome=perhaps")) == nil {
		t.Error("a wrong value was not found")
	}
}

var option = regexp.MustCompile(`PROMPTUARY_[A-Z_]+`)

func TestOptionsExist(t *testing.T) {
	t.Parallel()
	documented := check.Must(os.ReadFile("../../docs/configuration.md"))(t)
	known := map[string]bool{"PROMPTUARY_VERSION": true} // the tag of the image
	for _, name := range option.FindAllString(string(documented), -1) {
		known[name] = true
	}
	for _, path := range []string{"Dockerfile", "compose/compose.yaml", "compose/environment.example", "kubernetes/promptuary.yaml", "kubernetes/secret.example.yaml", "systemd/promptuary.service"} {
		names := option.FindAllString(read(t, path), -1)
		if len(names) == 0 {
			t.Errorf("%s sets no option", path)
		}
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s sets %s, which is not an option", path, name)
			}
		}
	}
}
