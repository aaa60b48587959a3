package access

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
)

// The hash is from the reference implementation.
func TestMatches(t *testing.T) {
	t.Parallel()
	const small = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
	for name, test := range map[string]struct {
		hash, password string
		want           bool
	}{
		"known":             {small, "password", true},
		"wrong":             {small, "passwore", false},
		"empty":             {small, "", false},
		"other case":        {small, "Password", false},
		"no hash":           {"", "", false},
		"too few parts":     {"$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ", "password", false},
		"no numbers":        {"$argon2id$v=19$m=x,t=2,p=1$c29tZXNhbHQ$nf65", "password", false},
		"no pass at all":    {"$argon2id$v=19$m=256,t=0,p=1$c29tZXNhbHQ$nf65", "password", false},
		"salt is no base64": {"$argon2id$v=19$m=256,t=2,p=1$c29t!XNhbHQ$nf65", "password", false},
		"hash is no base64": {"$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$!", "password", false},
		"hash is empty":     {"$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$", "password", false},
		"nobody":            {nobody, "", false},
	} {
		if got := matches(test.hash, test.password); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}

func TestHashPassword(t *testing.T) {
	t.Parallel()
	one, two := hashPassword("correct horse"), hashPassword("correct horse")
	form := regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`)
	if one == two || !form.MatchString(one) || strings.Contains(one, "correct") {
		t.Errorf("hashes are %q and %q", one, two)
	}
	if len(nobody) != len(one) {
		t.Errorf("nobody is %q", nobody)
	}
	for _, password := range []string{"correct horse", "correct horsf", "", "correct horse "} {
		if got, want := matches(one, password), password == "correct horse"; got != want {
			t.Errorf("%q: %t, want %t", password, got, want)
		}
	}
}

func TestPasswordRules(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ password, problem string }{
		"shortest":              {strings.Repeat("x", 10), ""},
		"short":                 {strings.Repeat("x", 9), "string_too_short"},
		"counted in characters": {strings.Repeat("ä", 9), "string_too_short"},
		"empty":                 {"", "string_too_short"},
		"longest":               {strings.Repeat("ä", 1000), ""},
		"long":                  {strings.Repeat("x", 1001), "string_too_long"},
	} {
		var problems fault.Problems
		checkPassword(test.password, &problems)
		err := problems.Err()
		var refused *fault.Error
		switch {
		case test.problem == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.problem != "" && (!errors.As(err, &refused) || refused.Fields[0].Type != test.problem):
			t.Errorf("%s: %v, want %s", name, err, test.problem)
		}
	}
}

// A caller that gives up does not wait for other hashes.
func TestHashersAreBounded(t *testing.T) {
	t.Parallel()
	h := make(hashers, 1)
	ctx, cancel := context.WithCancel(t.Context())
	err := h.run(t.Context(), func() {
		cancel()
		if err := h.run(ctx, func() { t.Error("two hashes run concurrently") }); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if err != nil {
		t.Error(err)
	}
}
