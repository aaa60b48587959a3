package envvar

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// What keys and values can be, in characters.
const (
	maxKey   = 255
	maxValue = 8192
)

var keyPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reserved are the names that decide how a program starts and what it loads:
// who could set one could run code outside of its bounds, or break all code of
// the workspace. Names that merely look alike are free.
var reserved = []string{
	// the shell and the user
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TMPDIR", "IFS", "ENV", "BASH_ENV",
	// the loader and the C library
	"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "LD_DEBUG", "LD_DEBUG_OUTPUT", "LD_PROFILE", "LD_PROFILE_OUTPUT",
	"LD_ORIGIN_PATH", "LD_BIND_NOW", "LD_DYNAMIC_WEAK", "GCONV_PATH", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES",
	"DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
	// Python
	"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONEXECUTABLE", "PYTHONUSERBASE", "PYTHONPLATLIBDIR",
	"PYTHONBREAKPOINT", "PYTHONINSPECT", "PYTHONPYCACHEPREFIX", "PYTHONWARNINGS",
	// JavaScript
	"NODE_OPTIONS", "NODE_PATH", "NODE_REPL_EXTERNAL_MODULE",
}

// Reserved reports whether no variable can have the key.
func Reserved(key string) bool { return slices.Contains(reserved, key) }

// ReservedMessage says what is wrong with a reserved key.
const ReservedMessage = "This name is reserved"

var (
	keyLoc   = []any{"body", "key"}
	valueLoc = []any{"body", "value"}
)

// checkKey records what is wrong with a key. The edge checks the same where it
// reads requests; here it holds for every caller.
func checkKey(key string, problems *fault.Problems) {
	switch {
	case key == "":
		problems.Report(keyLoc, fault.MinLength(1))
	case utf8.RuneCountInString(key) > maxKey:
		problems.Report(keyLoc, fault.MaxLength(maxKey))
	case !keyPattern.MatchString(key):
		problems.Report(keyLoc, fault.Pattern(keyPattern))
	case Reserved(key):
		problems.Add(keyLoc, "value_error", ReservedMessage)
	}
}

// checkValue records what is wrong with a value of at least so many characters,
// without repeating it. No process can have a NUL in its environment.
func checkValue(value string, least int, problems *fault.Problems) {
	if rule, ok := fault.TextRule(value, least, maxValue); !ok {
		problems.Report(valueLoc, rule)
	}
}

// shown is how many characters of a value's end people are shown.
const shown = 4

// hintOf returns what may be told of a value. A value of so few characters that
// its end would be all of it is not shown at all.
func hintOf(value string) Hint {
	hint := Hint{Empty: value == ""}
	if characters := []rune(value); len(characters) > shown {
		hint.Suffix = string(characters[len(characters)-shown:])
	}
	return hint
}
