package step

import (
	"context"
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"

	"github.com/promptuary/promptuary/internal/jsontree"
)

var regexReplaceSpec = Spec{
	Name: "REGEX_REPLACE", Label: "Replace by pattern", Group: groupData, Icon: "replace",
	Doc:     "Replaces the matches of a regular expression in a text.",
	Summary: "/{regex_pattern}/",
	Initial: []byte(`{"source":"$source","regex_pattern":"","replacement":""}`),
	Fields: []Field{
		sourceField, patternField,
		{Name: "replacement", Kind: FieldText, Label: "Replacement", Optional: true, Hint: `Leave empty to remove matches. \1 or \g<name> inserts a group.`},
	},
	read: readRegexReplace,
}

// readRegexReplace reads REGEX_REPLACE: a text in which all matches are
// replaced.
func readRegexReplace(c *settings) runner {
	source := c.source("source")
	expression := c.expression("regex_pattern")
	replacement := c.optionalText("replacement")
	if c.failed() {
		return nil
	}
	parts, ok := parseReplacement(replacement, expression)
	if !ok {
		c.fail("'replacement' has an invalid escape sequence or refers to an unknown group; a backslash is written as \\\\")
	}
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		text, err := expression.replace(ctx, env, env.text(source), parts)
		if err != nil {
			return jsontree.Value{}, err
		}
		return textValue(text)
	}
}

// replacementPart is a text, or the group with that number if the text is
// empty.
type replacementPart struct {
	text  string
	group int
}

// parseReplacement reads a replacement as Python writes it: \1, \g<1> and
// \g<name> stand for groups, \\, \n, \r and \t for characters. ok is false if
// it has any other escape sequence or names a group that the expression lacks.
func parseReplacement(text string, e *expression) (parts []replacementPart, ok bool) {
	for text != "" {
		literal, after, escaped := strings.Cut(text, `\`)
		if literal != "" {
			parts = append(parts, replacementPart{text: literal})
		}
		if !escaped {
			break
		}
		part, length, ok := parseEscape(after, e)
		if !ok {
			return nil, false
		}
		parts = append(parts, part)
		text = after[length:]
	}
	return parts, true
}

var replacementEscapes = map[byte]string{'\\': `\`, 'n': "\n", 'r': "\r", 't': "\t"}

// parseEscape reads what follows a backslash and returns how long that is.
func parseEscape(text string, e *expression) (part replacementPart, length int, ok bool) {
	if text == "" {
		return part, 0, false
	}
	if char, known := replacementEscapes[text[0]]; known {
		return replacementPart{text: char}, 1, true
	}
	name, length := text, len(text)-len(strings.TrimLeft(text, "0123456789"))
	if name = name[:length]; length == 0 {
		inside, found := strings.CutPrefix(text, "g<")
		before, _, closed := strings.Cut(inside, ">")
		if !found || !closed {
			return part, 0, false
		}
		name, length = before, len("g<>")+len(before)
	}
	part.group, ok = e.group(name)
	return part, length, ok
}

// group returns the number of the group with that number or name, 0 for the
// whole match.
func (e *expression) group(name string) (number int, ok bool) {
	if isDigits(name) {
		number, err := strconv.Atoi(name)
		return number, err == nil && number <= e.groups
	}
	number, ok = e.names[name]
	return number, ok && number <= e.groups
}

// replace returns the text with all matches replaced.
func (e *expression) replace(ctx context.Context, env *Env, text string, parts []replacementPart) (string, error) {
	if err := checkSearched(text); err != nil {
		return "", err
	}
	var out strings.Builder
	add := func(part string) error {
		if out.Len()+len(part) > maxOutput {
			return tooLarge()
		}
		out.WriteString(part)
		return nil
	}
	runes, from := []rune(text), 0 // positions of matches count runes
	err := e.each(ctx, env, text, func(match *regexp2.Match) error {
		if err := add(string(runes[from:match.Index])); err != nil {
			return err
		}
		from = match.Index + match.Length
		for _, part := range parts {
			inserted := part.text
			if inserted == "" {
				inserted = groupText(match, part.group)
			}
			if err := add(inserted); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return out.String() + string(runes[from:]), nil
}
