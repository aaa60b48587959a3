package step_test

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left     string
		operator step.Operator
		right    string
		want     bool
	}{
		{`5`, "=", `"5.0"`, true},
		{`" 5 "`, "=", `5e0`, true},
		{`12345678901234567890`, "=", `12345678901234567891`, false},
		{`12345678901234567890`, "<", `12345678901234567891`, true},
		{`0.1`, "=", `0.10000000000000000001`, false},
		{`1e999999999999999999999`, ">", `1e999`, true},
		{`-1e999999999999999999999`, "<", `1e-999999999999999999999`, true},
		{`-0`, "=", `0`, true},
		{`"10"`, ">", `"9"`, true},
		{`"10a"`, ">", `"9a"`, false},
		{`"a"`, "<", `"b"`, true},
		{`"a"`, "<=", `"a"`, true},
		{`"a"`, "<", `1`, false},
		{`"a"`, ">=", `1`, false},
		{`true`, "=", `true`, true},
		{`true`, "=", `"true"`, true},
		{`true`, "=", `1`, false},
		{`false`, "=", `null`, false},
		{`true`, "!=", `"True"`, true},
		{`true`, ">=", `true`, false},
		{`null`, "=", `""`, true},
		{``, "=", `null`, true},
		{`null`, "<", `1`, false},
		{`[1, 2]`, "=", `"[1,2]"`, true},
		{`"b"`, "in", `["a","b"]`, true},
		{`"1"`, "in", `[1.0]`, true},
		{`"b"`, "in", `"abc"`, true},
		{`"b"`, "in", `{"b":1}`, false},
		{`null`, "in", `"abc"`, false},
		{`null`, "in", `[null]`, true},
		{`"b"`, "not_in", `[]`, true},
		{`"b"`, "not_in", `null`, true},
		{`null`, "is_null", ``, true},
		{``, "is_null", ``, true},
		{`""`, "is_null", ``, false},
		{`false`, "is_not_null", ``, true},
		{`1`, "==", `1`, false},
	} {
		if got := step.Compare(c.operator, tree(t, c.left), tree(t, c.right)); got != c.want {
			t.Errorf("%s %s %s = %v", c.left, c.operator, c.right, got)
		}
	}
	for _, operator := range step.Operators() {
		if !operator.Known() {
			t.Errorf("%s is not known", operator)
		}
	}
	if step.Operator("==").Known() || step.Operator("").Known() {
		t.Error("an operator is known that does not exist")
	}
}

// randomNumber returns a number in one of the notations of JSON.
func randomNumber(random *rand.Rand) string {
	var text strings.Builder
	if random.IntN(2) == 0 {
		text.WriteByte('-')
	}
	text.WriteString(strconv.FormatUint(random.Uint64()>>random.IntN(64), 10))
	if random.IntN(2) == 0 {
		text.WriteString("." + strings.Repeat("0", random.IntN(3)) + strconv.Itoa(random.IntN(100)) + strings.Repeat("0", random.IntN(3)))
	}
	if random.IntN(3) == 0 {
		text.WriteString([]string{"e", "E+", "e-"}[random.IntN(3)] + strconv.Itoa(random.IntN(25)))
	}
	return text.String()
}

// TestNumbersCompareExactly compares the order and the string form of numbers
// with big rationals.
func TestNumbersCompareExactly(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	rat := func(text string) *big.Rat {
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Fatalf("%s is no number", text)
		}
		return r
	}
	for range 20_000 {
		left, right := randomNumber(random), randomNumber(random)
		if random.IntN(4) == 0 {
			right = step.Text(tree(t, left))
		}
		order := rat(left).Cmp(rat(right))
		a, b := tree(t, left), tree(t, right)
		for operator, want := range map[step.Operator]bool{
			step.Equal: order == 0, step.NotEqual: order != 0, step.Less: order < 0,
			step.LessOrEqual: order <= 0, step.Greater: order > 0, step.GreaterOrEqual: order >= 0,
		} {
			if got := step.Compare(operator, a, b); got != want {
				t.Fatalf("%s %s %s = %v", left, operator, right, got)
			}
		}
		if text := step.Text(a); rat(text).Cmp(rat(left)) != 0 {
			t.Fatalf("the string form of %s is %s", left, text)
		}
	}
}

// TestCompareIsConsistent checks invariants for values of all kinds.
func TestCompareIsConsistent(t *testing.T) {
	t.Parallel()
	var values []jsontree.Value
	for _, text := range []string{
		``, `null`, `true`, `false`, `0`, `-0.0`, `1`, `1.0`, `"1"`, `" 1 "`, `"true"`, `"false"`, `"True"`, `""`, `" "`, `"a"`, `"B"`, `"10"`, `"9"`,
		`12345678901234567890`, `1e30`, `[]`, `[1]`, `[1.0]`, `["1"]`, `{}`, `{"a":1}`, `"[]"`, `"{\"a\":1}"`, `"nan"`, `"inf"`, `"0x10"`, `"1_000"`, `"."`, `"+.5e1"`, `5`,
	} {
		values = append(values, tree(t, text))
	}
	is := step.Compare
	for _, a := range values {
		for _, b := range values {
			equal := is(step.Equal, a, b)
			orders := is(step.LessOrEqual, a, b) || is(step.GreaterOrEqual, a, b)
			for rule, holds := range map[string]bool{
				"equality is symmetric":                  equal == is(step.Equal, b, a),
				"not equal is the opposite":              equal != is(step.NotEqual, a, b),
				"less mirrors greater":                   is(step.Less, a, b) == is(step.Greater, b, a),
				"less or equal mirrors greater or equal": is(step.LessOrEqual, a, b) == is(step.GreaterOrEqual, b, a),
				"less excludes more":                     !is(step.Less, a, b) || !is(step.Greater, a, b),
				"ordered values are trichotomous":        !orders || btoi(equal)+btoi(is(step.Less, a, b))+btoi(is(step.Greater, a, b)) == 1,
				"not in is the opposite":                 is(step.In, a, b) != is(step.NotIn, a, b),
				"not null is the opposite":               is(step.IsNull, a, b) != is(step.IsNotNull, a, b),
				"each value equals itself":               is(step.Equal, a, a),
				"an array contains its elements":         is(step.In, a, tree(t, "["+orNull(a)+"]")),
			} {
				if !holds {
					t.Errorf("%s: %s and %s", rule, a.Raw(), b.Raw())
				}
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func orNull(v jsontree.Value) string {
	if v.Given() {
		return string(v.Raw())
	}
	return "null"
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``: "", `null`: "", `true`: "true", `"a\n"`: "a\n", `1.50`: "1.5", `1e2`: "100", `-0`: "0", `0.000001`: "0.000001", `1e-9`: "1e-9", `1.25E+30`: "1.25e+30",
		`123456789012345678901234567890`: "123456789012345678901234567890", `[ 1, {"a" : 2.0} ]`: `[1,{"a":2.0}]`, `0.1e1`: "1", `-12.340e1`: "-123.4",
	} {
		if got := step.Text(tree(t, text)); got != want {
			t.Errorf("Text(%s) = %q, want %q", text, got, want)
		}
	}
}
