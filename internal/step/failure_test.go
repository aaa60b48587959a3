package step_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/step"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		err             error
		message, detail string
	}{
		{"failure", fmt.Errorf("loop: %w", &step.FailureError{Message: "short", Detail: "all of it"}), "short", "all of it"},
		{"fault", fault.Wrap(fault.BadRequest, errors.New("inside"), "for people"), "for people", "for people"},
		{"internal fault", fault.Wrap(fault.Internal, errors.New("inside"), "secret"), "The step failed because of an internal error", "See the server log"},
		{"anything else", errors.New("secret"), "The step failed because of an internal error", "See the server log"},
		{"cancelled", fmt.Errorf("asking: %w", context.Canceled), "The run was cancelled", "The run was cancelled"},
		{"late", context.DeadlineExceeded, "The step took too long", "The step took too long"},
		{"bytes that cannot be stored", &step.FailureError{Message: "a\x00b\xff", Detail: "\x00"}, "a\uFFFDb\uFFFD", "\uFFFD"},
		{"long", &step.FailureError{Message: strings.Repeat("é", 1000), Detail: strings.Repeat("x", 1<<20)}, strings.Repeat("é", 512) + "…", strings.Repeat("x", 64<<10) + "…"},
		{"cut within a letter", &step.FailureError{Message: "x" + strings.Repeat("é", 1000)}, "x" + strings.Repeat("é", 511) + "…", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			message, detail := step.Explain(c.err)
			if message != c.message || detail != c.detail {
				t.Errorf("got %.100q and %.100q, want %.100q and %.100q", message, detail, c.message, c.detail)
			}
			if !utf8.ValidString(message) || !utf8.ValidString(detail) {
				t.Error("a text is no UTF-8")
			}
		})
	}
}

// TestWork lists the types that may be repeated.
func TestWork(t *testing.T) {
	t.Parallel()
	var inline, slow []string
	for _, name := range step.Names() {
		found, _ := step.Find(name)
		switch found.Work() {
		case step.Inline:
			inline = append(inline, name)
		case step.Slow:
			slow = append(slow, name)
		}
	}
	if want := []string{"CODE_EXECUTION", "COSINE_SIMILARITY"}; !slices.Equal(slow, want) {
		t.Errorf("slow are %q, want %q", slow, want)
	}
	want := []string{
		"ABSOLUTE_NUMERIC_DISTANCE", "APPLY_DIFF", "ASSERT_VALID", "COALESCE", "CODING_AGENT", "COMBINE_COLUMNS", "COMPARE", "CONTAINS", "COUNT", "HUMAN",
		"JSON_PATH", "MATH_OPERATOR", "MIN_MAX", "PARSE_VALUE", "REGEX", "REGEX_EXTRACTION", "REGEX_REPLACE", "VARIABLE", "XML_PATH",
	}
	if !slices.Equal(inline, want) {
		t.Errorf("inline are %q, want %q", inline, want)
	}
}
