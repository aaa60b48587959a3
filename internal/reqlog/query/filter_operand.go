package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/ascii"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// addOperand validates one value against the type of the field and adds it.
func (c *Cond) addOperand(typ FieldType, v jsontree.Value) error {
	switch typ {
	case TypeIdentifier:
		return c.addID(v)
	case TypeNumeric:
		return c.addNumber(v)
	case TypeScore:
		if c.Op.Compares() {
			return c.addNumber(v)
		}
		return c.addText(TypeNested, v)
	case TypeDatetime:
		return c.addTime(v)
	default:
		return c.addText(typ, v)
	}
}

func (c *Cond) addID(v jsontree.Value) error {
	id, ok := identifier(v)
	if !ok {
		return c.refuse("a value must be an integer or a string of digits")
	}
	c.IDs = append(c.IDs, id)
	return nil
}

func (c *Cond) addNumber(v jsontree.Value) error {
	n, ok := v.Float()
	if text := v.Str(); numberText.MatchString(text) {
		var err error
		n, err = strconv.ParseFloat(text, 64)
		ok = err == nil
	}
	if !ok {
		return c.refuse("a value must be a number")
	}
	c.Numbers = append(c.Numbers, n)
	return nil
}

func (c *Cond) addTime(v jsontree.Value) error {
	t, err := reqlog.ParseInstant(v)
	if err != nil {
		return c.refuse("a value must be a date-time")
	}
	c.Times = append(c.Times, t)
	return nil
}

// addText adds a value in the form that engines compare.
func (c *Cond) addText(typ FieldType, v jsontree.Value) error {
	text := v.Str()
	switch {
	case typ == TypeNested:
		if !v.Given() || v.Kind() == jsontree.Array || v.Kind() == jsontree.Object {
			return c.refuse("a value must be a string, a number or a boolean")
		}
		text = reqlog.LeafText(v)
	case v.Kind() != jsontree.String:
		return c.refuse("a value must be a string")
	case typ == TypeText && text == "":
		return c.refuse("a value must be a non-empty string")
	case c.Field == FieldTraceID:
		text = reqlog.NormalTraceID(text)
	case c.Field == FieldSpanID:
		text = reqlog.NormalSpanID(text)
	case typ == TypeStatus:
		text = strings.ToUpper(text)
	case typ == TypeIntent:
		text = strings.ToLower(text)
		if labels := c.Field.Spec().Values; !slices.Contains(labels, text) {
			return c.refuse("a value must be one of %s", strings.Join(labels, ", "))
		}
	}
	c.Texts = append(c.Texts, text)
	return nil
}

// reversed reports whether a range ends before it begins.
func (c *Cond) reversed() bool {
	if len(c.Times) == 2 {
		return c.Times[0] > c.Times[1]
	}
	return c.Numbers[0] > c.Numbers[1]
}

var numberText = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// identifier reads a whole number or a string of digits.
func identifier(v jsontree.Value) (int64, bool) {
	if text := v.Str(); ascii.IsDigits(text) {
		id, err := strconv.ParseInt(text, 10, 64)
		return id, err == nil
	}
	return v.Int()
}
