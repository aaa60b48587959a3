package fault

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Rule is a rule that a value can break. All messages about the shape of what
// clients send are made here, so that they all sound alike.
type Rule struct {
	// Type is a stable word for programs.
	Type string
	// Msg says what is allowed.
	Msg string
}

// The rules about presence and type.
var (
	Required    = Rule{"missing", "Field required"}
	NoExtra     = Rule{"extra_forbidden", "Extra inputs are not permitted"}
	StringType  = Rule{"string_type", "Input should be a valid string"}
	BoolType    = Rule{"bool_type", "Input should be a valid boolean"}
	IntType     = Rule{"int_type", "Input should be a valid integer"}
	WholeNumber = Rule{"int_type", "Input should be a valid integer, got a number with a fractional part"}
	IntSize     = Rule{"int_parsing", "Input should be a valid integer, the number is too large"}
	IntText     = Rule{"int_parsing", "Input should be a valid integer"}
	IntOrDigits = Rule{"int_parsing", "Input should be a valid integer or a string of digits"}
	NumberType  = Rule{"float_type", "Input should be a valid number"}
	NumberSize  = Rule{"float_parsing", "Input should be a valid number, the number is too large"}
	NumberText  = Rule{"float_parsing", "Input should be a valid number"}
	ListType    = Rule{"list_type", "Input should be a valid list"}
	ObjectType  = Rule{"dict_type", "Input should be a valid object"}
	DateTime    = Rule{"value_error", "Input should be a valid date-time"}
	NoNUL       = Rule{"value_error", "Input should not contain the NUL character"}
	UTF8        = Rule{"string_type", "Input should be valid UTF-8"}
)

// Rulef returns a rule that is not in this catalogue.
func Rulef(typ, format string, args ...any) Rule { return Rule{typ, fmt.Sprintf(format, args...)} }

// Either is the rule that one of two rules about the type holds.
func Either(a, b Rule) Rule {
	return Rule{a.Type, a.Msg + " or " + strings.TrimPrefix(b.Msg, "Input should be ")}
}

// MinLength is the rule that a string has at least n characters.
func MinLength(n int64) Rule {
	return Rule{"string_too_short", "String should have at least " + count(n, "character")}
}

// MaxLength is the rule that a string has at most n characters.
func MaxLength(n int64) Rule {
	return Rule{"string_too_long", "String should have at most " + count(n, "character")}
}

// TextRule returns the rule that a text breaks which must have least to most
// characters and be fit for the catalog; ok is true when it breaks none.
func TextRule(text string, least, most int) (broken Rule, ok bool) {
	switch n := utf8.RuneCountInString(text); {
	case n < least:
		return MinLength(int64(least)), false
	case n > most:
		return MaxLength(int64(most)), false
	case !utf8.ValidString(text):
		return UTF8, false
	case strings.IndexByte(text, 0) >= 0:
		return NoNUL, false
	}
	return Rule{}, true
}

// MaxBytes is the rule that a value has at most n bytes.
func MaxBytes(n int64) Rule {
	return Rule{"too_long", "Input should have at most " + count(n, "byte")}
}

// MinItems is the rule that a list, which has got, has at least n items.
func MinItems(n int64, got int) Rule {
	return Rule{"too_short", fmt.Sprintf("List should have at least %s, not %d", count(n, "item"), got)}
}

// MaxItems is the rule that a list, which has got, has at most n items.
func MaxItems(n int64, got int) Rule {
	return Rule{"too_long", fmt.Sprintf("List should have at most %s, not %d", count(n, "item"), got)}
}

// MaxMembers is the rule that an object, which has got, has at most n members.
func MaxMembers(n int64, got int) Rule {
	return Rule{"too_long", fmt.Sprintf("Object should have at most %s, not %d", count(n, "member"), got)}
}

// Minimum is the rule that a number is n or more.
func Minimum(n float64) Rule {
	return Rule{"greater_than_equal", "Input should be greater than or equal to " + number(n)}
}

// Maximum is the rule that a number is n or less.
func Maximum(n float64) Rule {
	return Rule{"less_than_equal", "Input should be less than or equal to " + number(n)}
}

// Above is the rule that a number is more than n.
func Above(n float64) Rule { return Rule{"greater_than", "Input should be greater than " + number(n)} }

// Below is the rule that a number is less than n.
func Below(n float64) Rule { return Rule{"less_than", "Input should be less than " + number(n)} }

// Pattern is the rule that a string matches a regular expression.
func Pattern(expression fmt.Stringer) Rule {
	return Rule{"string_pattern_mismatch", "String should match pattern '" + expression.String() + "'"}
}

// OneOf is the rule that a value is one of the words.
func OneOf[S ~string](words ...S) Rule { return Rule{"enum", "Input should be " + join(words, " or ")} }

// TagRequired is the rule that an object has the member that tells what it is.
func TagRequired[S ~string](name string, tags ...S) Rule {
	msg := "Unable to extract tag using discriminator '" + name + "'"
	return Rule{"union_tag_not_found", msg + ": it should be " + join(tags, " or ")}
}

// KnownTag is the rule that the member that tells what an object is, which
// says got, is one of the tags.
func KnownTag[S ~string](name, got string, tags ...S) Rule {
	return Rule{"union_tag_invalid", fmt.Sprintf("Input tag '%.100s' found using '%s' does not match any of the expected tags: %s",
		got, name, join(tags, ", "))}
}

func count(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// join quotes words and joins them with commas, and the last one with last.
func join[S ~string](words []S, last string) string {
	var text strings.Builder
	for i, word := range words {
		switch {
		case i > 0 && i == len(words)-1:
			text.WriteString(last)
		case i > 0:
			text.WriteString(", ")
		}
		text.WriteString("'" + string(word) + "'")
	}
	return text.String()
}
