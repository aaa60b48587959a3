package skill

import (
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// maxPath is the maximum length of a path in characters.
const maxPath = 1024

// CleanPath returns a path in canonical form: with slashes and without "."
// elements. The fault is BadRequest for a path that is empty, leads out of the
// root, is absolute, ends in a slash or is otherwise invalid.
func CleanPath(path string) (string, error) {
	if problem := pathProblem(path); problem != "" {
		return "", badPath(path, problem)
	}
	slashed := strings.ReplaceAll(path, `\`, "/")
	if strings.HasPrefix(slashed, "/") || isDrive(slashed) {
		return "", badPath(path, "must not be absolute")
	}
	if strings.HasSuffix(slashed, "/") {
		return "", badPath(path, "must not end in a slash")
	}
	steps := make([]string, 0, strings.Count(slashed, "/")+1)
	for step := range strings.SplitSeq(slashed, "/") {
		switch step {
		case ".":
			continue
		case "..":
			return "", badPath(path, "must not contain ..")
		case "":
			return "", badPath(path, "must not have an empty step")
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 {
		return "", badPath(path, "must not be empty")
	}
	return strings.Join(steps, "/"), nil
}

// pathProblem describes what is wrong with the characters of a path, or returns
// "".
func pathProblem(path string) string {
	switch {
	case path == "":
		return "must not be empty"
	case !utf8.ValidString(path):
		return "must be valid UTF-8"
	case strings.Contains(path, "\x00"):
		return "must not contain the NUL character"
	case utf8.RuneCountInString(path) > maxPath:
		return "must not be longer than 1024 characters"
	}
	return ""
}

func badPath(path, problem string) error {
	return fault.BadRequestf("The path %.200q %s", path, problem)
}

// isDrive reports whether a path begins with a drive letter.
func isDrive(path string) bool {
	return len(path) >= 3 && path[1] == ':' && path[2] == '/' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
}

// The providers with their own layout.
const (
	claudeCode = "claude_code"
	openAI     = "openai"
	openClaw   = "openclaw"
)

// layout is the directory layout of a provider.
type layout struct {
	// prefix is the top-level folder.
	prefix string
	// nested reports whether folders are placed in a folder "skills", except for
	// those in placed.
	nested bool
}

var layouts = map[string]layout{
	claudeCode: {".claude/", true},
	openAI:     {".agents/", true},
	openClaw:   {".openclaw/", false},
}

// placed are the folders that are not placed in "skills".
var placed = []string{"skills/", "agents/", "commands/", "hooks/"}

func isPlaced(path string) bool {
	for _, folder := range placed {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return false
}

// ExportPath returns the path of a file in the layout of the provider.
func ExportPath(provider, path string) string {
	wanted, known := layouts[provider]
	if !known {
		return path
	}
	if wanted.nested && strings.Contains(path, "/") && !isPlaced(path) {
		return wanted.prefix + "skills/" + path
	}
	return wanted.prefix + path
}

// ImportPath reverses ExportPath for any provider, so that exported files can
// be uploaded again. The fault is BadRequest if nothing is left.
func ImportPath(path string) (string, error) {
	for _, known := range layouts {
		folder := strings.TrimSuffix(known.prefix, "/")
		if path == folder {
			return "", badPath(path, "names a whole layout")
		}
		inner, ok := strings.CutPrefix(path, known.prefix)
		if !ok {
			continue
		}
		skill, ok := strings.CutPrefix(inner, "skills/")
		if known.nested && ok && strings.Contains(skill, "/") && !isPlaced(skill) {
			return skill, nil
		}
		return inner, nil
	}
	return path, nil
}

// DetectProvider returns the provider whose layout the clean paths have, "" for
// none.
func DetectProvider(paths []string) string {
	for _, one := range []struct {
		provider string
		isSign   func(path string) bool
	}{
		{claudeCode, func(p string) bool { return strings.HasPrefix(p, ".claude/") || p == "CLAUDE.md" }},
		{openAI, func(p string) bool {
			return strings.HasPrefix(p, ".agents/") || p == "AGENTS.md" || strings.HasSuffix(p, "/agents/openai.yaml")
		}},
		{openClaw, func(p string) bool { return strings.HasPrefix(p, ".openclaw/") || p == "openclaw.json" }},
	} {
		for _, path := range paths {
			if one.isSign(path) {
				return one.provider
			}
		}
	}
	return ""
}
