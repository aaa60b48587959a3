package secret_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/secret"
)

var here = secret.Place{Scope: "tool", Workspace: 1, Owner: 2, Name: "TOKEN"}

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	box := secret.NewBox(secret.NewKey())
	for _, value := range []string{"", "x", "a\x00b", "日本語 🙂", strings.Repeat("long ", 10_000)} {
		sealed := box.Seal([]byte(value), here)
		got, err := box.Open(sealed, here)
		if err != nil || string(got) != value {
			t.Errorf("got %.20q back (%v), want %.20q", got, err, value)
		}
		if len(value) > 4 && bytes.Contains(sealed, []byte(value[:4])) {
			t.Errorf("the sealed form shows %.20q", value)
		}
	}
}

func TestEqualValuesAreSealedDifferently(t *testing.T) {
	t.Parallel()
	box := secret.NewBox(secret.NewKey())
	seen := map[string]bool{}
	for range 100 {
		seen[string(box.Seal([]byte("same"), here))] = true
	}
	if len(seen) != 100 {
		t.Errorf("got %d forms of 100", len(seen))
	}
}

func TestOpenRequiresThePlace(t *testing.T) {
	t.Parallel()
	box := secret.NewBox(secret.NewKey())
	sealed := box.Seal([]byte("hush"), here)
	for name, place := range map[string]secret.Place{
		"scope":                  {Scope: "workspace", Workspace: 1, Owner: 2, Name: "TOKEN"},
		"workspace":              {Scope: "tool", Workspace: 3, Owner: 2, Name: "TOKEN"},
		"owner":                  {Scope: "tool", Workspace: 1, Owner: 3, Name: "TOKEN"},
		"workspace and owner":    {Scope: "tool", Workspace: 2, Owner: 1, Name: "TOKEN"},
		"name":                   {Scope: "tool", Workspace: 1, Owner: 2, Name: "token"},
		"border of scope, name":  {Scope: "toolT", Workspace: 1, Owner: 2, Name: "OKEN"},
		"border of name, number": {Scope: "tool", Workspace: 1, Owner: 2, Name: "TOKEN\x00"},
		"nothing":                {},
	} {
		if got, err := box.Open(sealed, place); !errors.Is(err, secret.ErrCannotOpen) || got != nil {
			t.Errorf("another %s: got %q, %v", name, got, err)
		}
	}
}

func TestOpenRejectsModifiedValues(t *testing.T) {
	t.Parallel()
	box := secret.NewBox(secret.NewKey())
	sealed := box.Seal([]byte("hush"), here)
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		for _, broken := range [][]byte{changed, sealed[:i]} {
			if got, err := box.Open(broken, here); !errors.Is(err, secret.ErrCannotOpen) || got != nil {
				t.Errorf("changed or cut at byte %d: got %q, %v", i, got, err)
			}
		}
	}
	if _, err := box.Open(append(sealed, 0), here); !errors.Is(err, secret.ErrCannotOpen) {
		t.Errorf("a byte more: %v", err)
	}
}

func TestOpenRequiresTheKey(t *testing.T) {
	t.Parallel()
	sealed := secret.NewBox(secret.NewKey()).Seal([]byte("hush"), here)
	if got, err := secret.NewBox(secret.NewKey()).Open(sealed, here); !errors.Is(err, secret.ErrCannotOpen) {
		t.Errorf("got %q, %v", got, err)
	}
}

// firstForm is "kept", sealed for here by the first version of the program.
var firstForm, _ = hex.DecodeString("015e650624c0f5298ccff5d42105e9b4ce84a08c23bce0cf70304f8c3560e9ba72")

// TestFirstFormatStaysReadable checks that values sealed by older programs
// can be opened.
func TestFirstFormatStaysReadable(t *testing.T) {
	t.Parallel()
	key, err := secret.ParseKey(strings.Repeat("0f", secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	got, err := secret.NewBox(key).Open(firstForm, here)
	if err != nil || string(got) != "kept" {
		t.Errorf("got %q, %v", got, err)
	}
}
