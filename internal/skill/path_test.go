package skill_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/skill"
)

func TestCleanPath(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path, want string }{
		{"plain", "a/b.md", "a/b.md"},
		{"backslashes", `a\b\c.md`, "a/b/c.md"},
		{"dot elements", "./a/./b", "a/b"},
		{"dots in names", "a..b/...", "a..b/..."},
		{"other scripts", "größe/日本.md", "größe/日本.md"},
		{"longest", strings.Repeat("ü", 1024), strings.Repeat("ü", 1024)},
		{"too long", strings.Repeat("a", 1025), ""},
		{"empty", "", ""},
		{"only dots", "./.", ""},
		{"absolute", "/a", ""},
		{"absolute with a backslash", `\a`, ""},
		{"drive", `C:\a`, ""},
		{"up", "a/../b", ""},
		{"parent with a backslash", `..\b`, ""},
		{"folder", "a/", ""},
		{"empty element", "a//b", ""},
		{"NUL", "a\x00b", ""},
		{"invalid UTF-8", "a\xff", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := skill.CleanPath(tt.path)
			if tt.want == "" {
				check.Fault(t, err, fault.BadRequest)
				return
			}
			check.Equal(t, "path", got, tt.want)
		})
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	tests := []struct{ provider, path, exported string }{
		{"claude_code", "CLAUDE.md", ".claude/CLAUDE.md"},
		{"claude_code", "triage/SKILL.md", ".claude/skills/triage/SKILL.md"},
		{"claude_code", "agents/x.md", ".claude/agents/x.md"},
		{"claude_code", "commands/x.md", ".claude/commands/x.md"},
		{"claude_code", "hooks/x.sh", ".claude/hooks/x.sh"},
		{"claude_code", "skills/x.md", ".claude/skills/x.md"},
		{"openai", "AGENTS.md", ".agents/AGENTS.md"},
		{"openai", "triage/agents/openai.yaml", ".agents/skills/triage/agents/openai.yaml"},
		{"openclaw", "a.md", ".openclaw/a.md"},
		{"openclaw", "triage/SKILL.md", ".openclaw/triage/SKILL.md"},
		{"", "triage/SKILL.md", "triage/SKILL.md"},
		{"other", "a.md", "a.md"},
	}
	for _, tt := range tests {
		t.Run(tt.provider+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			check.Equal(t, "exported", skill.ExportPath(tt.provider, tt.path), tt.exported)
			check.Equal(t, "imported", check.Must(skill.ImportPath(tt.exported))(t), tt.path)
		})
	}
	for _, whole := range []string{".claude", ".agents", ".openclaw"} {
		_, err := skill.ImportPath(whole)
		check.Fault(t, err, fault.BadRequest)
	}
}

func TestDetectProvider(t *testing.T) {
	t.Parallel()
	for want, lists := range map[string][][]string{
		"claude_code": {{"a", ".claude/b"}, {"CLAUDE.md"}, {"AGENTS.md", "CLAUDE.md"}},
		"openai":      {{".agents/x"}, {"AGENTS.md", "openclaw.json"}, {"t/agents/openai.yaml"}},
		"openclaw":    {{".openclaw/x"}, {"openclaw.json"}},
		"":            {nil, {"a/CLAUDE.md", "x/AGENTS.md", "agents/openai.yaml", ".claude"}},
	} {
		for _, paths := range lists {
			check.Equal(t, strings.Join(paths, " "), skill.DetectProvider(paths), want)
		}
	}
}

// FuzzPath checks that accepted paths are safe and stable, and survive an
// export and import.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"a/b", `.\a`, ".claude/skills/a/b", ".claude/skills/skills/x", ".agents/.claude/x", "/a", "..", "a/../../b", "C:/x"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		clean, err := skill.CleanPath(path)
		if err != nil {
			check.Fault(t, err, fault.BadRequest)
			return
		}
		if !utf8.ValidString(clean) || strings.HasPrefix(clean, "/") || strings.HasSuffix(clean, "/") || strings.Contains("/"+clean+"/", "/../") || strings.Contains(clean, "//") {
			t.Fatalf("%q became %q", path, clean)
		}
		check.Equal(t, "cleaned again", check.Must(skill.CleanPath(clean))(t), clean)
		stored, err := skill.ImportPath(clean)
		if err != nil {
			return
		}
		for _, provider := range []string{"", "claude_code", "openai", "openclaw"} {
			exported := skill.ExportPath(provider, stored)
			if provider == "" {
				continue // no prefix to recognize
			}
			check.Equal(t, "pulled, pushed and pulled", skill.ExportPath(provider, check.Must(skill.ImportPath(exported))(t)), exported)
		}
	})
}
