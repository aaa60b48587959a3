package step

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// comparison is the comparison of a COMPARE step.
type comparison struct {
	typ      string
	operator Operator
	path     *path
}

var (
	comparisonTypes     = []string{"STRING", "JSON", "NUMBER"}
	comparisonOperators = []string{"EQ", "NE", "GT", "GTE", "LT", "LTE"}
	operatorOf          = map[string]Operator{
		"EQ": Equal, "NE": NotEqual, "GT": Greater, "GTE": GreaterOrEqual, "LT": Less, "LTE": LessOrEqual,
	}
)

var compareSpec = Spec{
	Name: "COMPARE", Label: "Compare", Group: groupChecks, Icon: "equal",
	Doc:     "Checks whether two values are equal, or which is greater.",
	Summary: "{sources|source1} {target|source2}",
	Form:    "compare",
	Initial: []byte(`{"sources":["$source","$source"],"comparison_type":{"type":"STRING"}}`),
	Fields: []Field{
		pairField, source1Field, source2Field,
		{Name: "target", Kind: FieldJSON, Label: "Or the value", Optional: true},
		{Name: "comparison_type", Kind: FieldJSON, Label: "Compare as", Optional: true, Choices: words("STRING", "JSON", "NUMBER"), Default: "STRING"},
	},
	read: readCompare,
}

// readCompare reads COMPARE: whether two values, or a value and one in the
// configuration, are equal or ordered.
func readCompare(c *settings) runner {
	names := c.sourceList()
	target, _ := c.get("target")
	if len(names) != 2 && (len(names) != 1 || !target.Given()) {
		c.fail("'sources' must name two sources, or one together with 'target'")
		return nil
	}
	compare := readComparison(c)
	return func(_ context.Context, env *Env) (jsontree.Value, error) {
		right := target
		if len(names) == 2 {
			right = env.value(names[1])
		}
		same, err := compare.holds(env.value(names[0]), right)
		return boolean(same), err
	}
}

// readComparison reads comparison_type: an object, or only the type.
func readComparison(c *settings) comparison {
	given, key := c.get("comparison_type")
	if given.Kind() != jsontree.Object {
		return comparison{typ: c.word("STRING", comparisonTypes, "comparison_type"), operator: Equal}
	}
	inner := c.within(key, given)
	compare := comparison{
		typ:      inner.word("STRING", comparisonTypes, "type"),
		operator: operatorOf[inner.word("EQ", comparisonOperators, "operator")],
	}
	if compare.typ == "JSON" {
		compare.path = inner.path(false, "json_path")
	}
	if compare.typ != "NUMBER" && compare.operator != Equal && compare.operator != NotEqual {
		inner.reportAt("operator", fault.Rulef("enum", "Input should be 'EQ' or 'NE' unless numbers are compared"))
	}
	return compare
}

// holds reports whether the comparison is true. Values of other types than the
// compared one are never equal.
func (c comparison) holds(left, right jsontree.Value) (bool, error) {
	switch c.typ {
	case "NUMBER":
		a, leftOK := numeric(left)
		b, rightOK := numeric(right)
		if !leftOK || !rightOK {
			return c.operator == NotEqual, nil
		}
		return ordered(c.operator, a.compare(b)), nil
	case "JSON":
		same, err := c.sameJSON(left, right)
		return same == (c.operator == Equal), err
	default:
		return (Text(left) == Text(right)) == (c.operator == Equal), nil
	}
}

func (c comparison) sameJSON(left, right jsontree.Value) (bool, error) {
	a, err := castJSON(left)
	if err != nil {
		return false, nil //nolint:nilerr // what is not JSON is not the same
	}
	b, err := castJSON(right)
	if err != nil {
		return false, nil //nolint:nilerr // as above
	}
	if c.path != nil {
		if a, err = c.path.first(a); err != nil {
			return false, err
		}
		if b, err = c.path.first(b); err != nil {
			return false, err
		}
	}
	return sameJSON(a, b), nil
}
