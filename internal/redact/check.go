package redact

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// The limits of a list of rules.
const (
	MaxRules   = 50
	MaxName    = 40
	MaxPattern = 1000
	MaxPath    = 500
	// maxProgram limits the size of a regular expression once it is compiled.
	maxProgram = 1000
)

// Parts are what paths begin with: the parts of logs and spans.
var Parts = []string{
	"input", "output", "parameters", "metadata", "input_variables", "tags", "error_message",
	"attributes", "resource", "events", "links", "name", "status_message",
}

// Check adds what is wrong with a list of rules to problems.
func Check(list []Rule, loc []any, problems *fault.Problems) {
	if len(list) > MaxRules {
		problems.Report(loc, fault.MaxItems(MaxRules, len(list)))
		return
	}
	names := map[string]bool{}
	for i := range list {
		at := fault.At(loc, i)
		list[i].check(at, problems)
		if names[list[i].Name] {
			problems.Report(fault.At(at, "name"), fault.Rulef("value_error", "Another rule has the same name"))
		}
		names[list[i].Name] = true
	}
}

// validName keeps masks from looking like anything else, to people and to the next
// reader of the text.
var validName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 _-]*$`)

func (r *Rule) check(loc []any, problems *fault.Problems) {
	if !validName.MatchString(r.Name) || len(r.Name) > MaxName {
		problems.Report(fault.At(loc, "name"), fault.Rulef("value_error",
			"A name has up to %d letters, digits, spaces, hyphens and underscores, and begins with a letter", MaxName))
	}
	if !slices.Contains(Actions, r.Action) {
		problems.Report(fault.At(loc, "action"), fault.Rulef("value_error", "Unknown action %q", r.Action))
	}
	given := 0
	for _, text := range []string{string(r.Detector), r.Pattern, r.Path} {
		if text != "" {
			given++
		}
	}
	if given != 1 {
		problems.Report(loc, fault.Rulef("value_error", "A rule has exactly one of detector, pattern and path"))
		return
	}
	r.checkMatcher(loc, problems)
}

func (r *Rule) checkMatcher(loc []any, problems *fault.Problems) {
	switch {
	case r.Detector != "" && !slices.Contains(Detectors, r.Detector):
		problems.Report(fault.At(loc, "detector"), fault.Rulef("value_error", "Unknown detector %q", r.Detector))
	case r.Pattern != "":
		if _, err := compilePattern(r.Pattern); err != nil {
			problems.Report(fault.At(loc, "pattern"), fault.Rulef("value_error", "%s", err))
		}
	case r.Path != "":
		if message := pathProblem(r.Path); message != "" {
			problems.Report(fault.At(loc, "path"), fault.Rulef("value_error", "%s", message))
		}
	}
}

// pathProblem returns what is wrong with a path, "" if nothing is.
func pathProblem(text string) string {
	keys := splitPath(text)
	switch {
	case len(text) > MaxPath:
		return "A path has at most 500 bytes"
	case !utf8.ValidString(text) || slices.Contains(keys, ""):
		return "A path is a list of keys with dots between them"
	case keys[0] != "**" && !slices.Contains(Parts, keys[0]):
		return "A path begins with ** or one of " + strings.Join(Parts, ", ")
	case strings.Count(text, "**") > 3:
		return "A path has at most three **"
	}
	return ""
}

// compilePattern compiles a regular expression. Its syntax is that of Go, which
// needs time proportional to the length of a text, whatever the expression.
func compilePattern(text string) (pattern, error) {
	if len(text) > MaxPattern {
		return pattern{}, fault.New(fault.Invalid, "A pattern has at most %d bytes", MaxPattern)
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return pattern{}, fault.New(fault.Invalid, "Not a valid regular expression: %s", err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return pattern{}, fault.New(fault.Invalid, "Not a valid regular expression: %s", err)
	}
	if len(program.Inst) > maxProgram {
		return pattern{}, fault.New(fault.Invalid, "The regular expression is too large: repeat less")
	}
	expression, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, fault.New(fault.Invalid, "Not a valid regular expression: %s", err)
	}
	if expression.MatchString("") {
		return pattern{}, fault.New(fault.Invalid, "The regular expression matches an empty text")
	}
	prefix, _ := expression.LiteralPrefix()
	return pattern{expression: expression, prefix: prefix, steps: len(program.Inst)}, nil
}
