package fault_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
)

func TestRuleMessages(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule fault.Rule
		want string
	}{
		{fault.MinLength(1), "string_too_short: String should have at least 1 character"},
		{fault.MaxLength(255), "string_too_long: String should have at most 255 characters"},
		{fault.MaxBytes(4), "too_long: Input should have at most 4 bytes"},
		{fault.MinItems(1, 0), "too_short: List should have at least 1 item, not 0"},
		{fault.MaxItems(2, 3), "too_long: List should have at most 2 items, not 3"},
		{fault.MaxMembers(2, 3), "too_long: Object should have at most 2 members, not 3"},
		{fault.Minimum(0), "greater_than_equal: Input should be greater than or equal to 0"},
		{fault.Maximum(1e15), "less_than_equal: Input should be less than or equal to 1000000000000000"},
		{fault.Above(0.5), "greater_than: Input should be greater than 0.5"},
		{fault.Below(-1), "less_than: Input should be less than -1"},
		{fault.Pattern(regexp.MustCompile("^a+$")), "string_pattern_mismatch: String should match pattern '^a+$'"},
		{fault.OneOf("a"), "enum: Input should be 'a'"},
		{fault.OneOf("a", "b", "c"), "enum: Input should be 'a', 'b' or 'c'"},
		{fault.Either(fault.StringType, fault.ObjectType), "string_type: Input should be a valid string or a valid object"},
		{fault.TagRequired("type", "a", "b"), "union_tag_not_found: Unable to extract tag using discriminator 'type': it should be 'a' or 'b'"},
		{fault.KnownTag("type", "x", "a", "b"), "union_tag_invalid: Input tag 'x' found using 'type' does not match any of the expected tags: 'a', 'b'"},
	} {
		if got := test.rule.Type + ": " + test.rule.Msg; got != test.want {
			t.Errorf("rule %q, want %q", got, test.want)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	if problems.Err() != nil || problems.Any() || problems.Full() {
		t.Fatal("no problems are problems")
	}
	body := []any{"body"}
	problems.Report(fault.At(body, "tags", 2), fault.StringType)
	problems.Report(body, fault.ObjectType)
	err := problems.Err()
	if got := err.Error(); got != "tags[2]: Input should be a valid string" || !fault.Is(err, fault.Invalid) {
		t.Errorf("error = %q", got)
	}
	for range 100 {
		problems.Report(body, fault.Required)
	}
	var failure *fault.Error
	if !errors.As(problems.Err(), &failure) || len(failure.Fields) != 50 || !problems.Full() {
		t.Errorf("%d problems are reported, want 50", len(failure.Fields))
	}
}
