package step

import (
	"context"

	"github.com/dlclark/regexp2"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var regexExtractionSpec = Spec{
	Name: "REGEX_EXTRACTION", Label: "Extract by pattern", Group: groupData, Icon: "scan-search",
	Doc:     "Returns the matches of a regular expression.",
	Summary: "/{regex_pattern}/",
	Initial: []byte(`{"source":"$source","regex_pattern":""}`),
	Fields: []Field{
		sourceField, patternField,
		{Name: "group", Kind: FieldNumber, Label: "Group", Optional: true, Hint: "The capture group to return. Leave empty for all."},
	},
	read: readRegexExtraction,
}

// readRegexExtraction reads REGEX_EXTRACTION: all matches in a text. For an
// expression with one group these are the texts of the group, with several
// groups arrays of them.
func readRegexExtraction(c *settings) runner {
	source := c.source("source")
	expression := c.expression("regex_pattern")
	if c.failed() {
		return nil
	}
	groups := readGroup(c, expression)
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		var matches jsontree.List
		err := expression.each(ctx, env, env.text(source), func(match *regexp2.Match) error {
			matches.Add(func(w *jsontree.Writer) { writeMatch(w, match, groups) })
			if matches.Size() > maxOutput {
				return tooLarge()
			}
			return nil
		})
		if err != nil {
			return jsontree.Value{}, err
		}
		return parsed(matches.Bytes())
	}
}

// readGroup returns the groups to extract from each match.
func readGroup(c *settings, e *expression) []int {
	given, key := c.get("group")
	switch number, isNumber := given.Int(); {
	case !given.Given() && e.groups == 0:
		return []int{0}
	case !given.Given():
		all := make([]int, e.groups)
		for i := range all {
			all[i] = i + 1
		}
		return all
	case isNumber && number >= 0 && number <= int64(e.groups):
		return []int{int(number)}
	default:
		if number, ok := e.names[given.Str()]; ok && number <= e.groups {
			return []int{number}
		}
		c.reportAt(key, fault.Rulef("value_error", "Input should be a group of the regular expression"))
		return nil
	}
}

func writeMatch(w *jsontree.Writer, match *regexp2.Match, groups []int) {
	if len(groups) == 1 {
		w.String(groupText(match, groups[0]))
		return
	}
	w.Array(func() {
		for _, number := range groups {
			w.String(groupText(match, number))
		}
	})
}

// groupText returns the text of a group, "" if it did not participate.
func groupText(match *regexp2.Match, number int) string {
	group := match.GroupByNumber(number)
	if group == nil || len(group.Captures) == 0 {
		return ""
	}
	return group.String()
}
