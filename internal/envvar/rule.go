package envvar

import (
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// Limits of keys and values, in characters.
const (
	maxKey   = 255
	maxValue = 8192
)

var keyPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// reserved are names that determine how a program starts and what it loads:
// setting one could run code outside the sandbox, or break all code of the
// workspace. Similar names are allowed.
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

// Reserved reports whether a key is reserved.
func Reserved(key string) bool { return slices.Contains(reserved, key) }

// ReservedMessage is the error message for a reserved key.
const ReservedMessage = "This name is reserved"

var (
	keyLoc   = fault.In("key")
	valueLoc = fault.In("value")
)

// checkKey records problems with a key. The API checks the same in requests;
// this check covers all callers.
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

// checkValue records problems with a value, which must have at least minimum
// characters, without repeating it. The environment of a process cannot contain
// NUL.
func checkValue(value string, minimum int, problems *fault.Problems) {
	if rule, ok := fault.TextRule(value, minimum, maxValue); !ok {
		problems.Report(valueLoc, rule)
	}
}

// shown is the number of characters in Hint.Suffix.
const shown = 4

// hintOf returns the hint of a value. A value that is not longer than its
// suffix is not shown at all.
func hintOf(value string) Hint {
	hint := Hint{Empty: value == ""}
	if characters := []rune(value); len(characters) > shown {
		hint.Suffix = string(characters[len(characters)-shown:])
	}
	return hint
}
