package rest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/fault"
)

// itemsPrefix marks rules for the elements of a list or the values of a map.
const itemsPrefix = "items."

// rules are the rules in the tags of a field. They are the tags that the OpenAPI
// reflection reads, so that checks and documents always agree. A nil *rules has no
// rules.
type rules struct {
	minLength, maxLength *int64
	minItems, maxItems   *int64
	minimum, maximum     *float64
	above, below         *float64
	pattern              *regexp.Regexp
	enum                 []string
	items                *rules
}

// uncheckedTags are rules that would be documented but not checked.
var uncheckedTags = []string{"const", "multipleOf", "uniqueItems", "minProperties", "maxProperties"}

// parseRules parses the tags that start with prefix, and returns nil if there are
// none.
func parseRules(tag reflect.StructTag, prefix string) (*rules, error) {
	for _, name := range uncheckedTags {
		if _, ok := tag.Lookup(name); ok {
			return nil, fmt.Errorf("tag %s is not supported", name)
		}
	}
	p := tagParser{tag: tag, prefix: prefix}
	r := &rules{
		minLength: p.whole("minLength"), maxLength: p.whole("maxLength"),
		minItems: p.whole("minItems"), maxItems: p.whole("maxItems"),
		minimum: p.number("minimum"), maximum: p.number("maximum"),
		above: p.number("exclusiveMinimum"), below: p.number("exclusiveMaximum"),
		pattern: p.regexp("pattern"), enum: p.enum("enum"),
	}
	if prefix == "" {
		items, err := parseRules(tag, itemsPrefix)
		if err != nil {
			return nil, err
		}
		r.items = items
		p.found = p.found || items != nil
	}
	if p.err != nil || !p.found {
		return nil, p.err
	}
	return r, nil
}

// rulesOf returns the rules of a field: those of its tags, and the values of its
// type or of the type of its items if that is an Enum.
func rulesOf(f reflect.StructField) (*rules, error) {
	r, err := parseRules(f.Tag, "")
	if err != nil {
		return nil, err
	}
	t := indirect(f.Type)
	if t.Kind() != reflect.Slice {
		return r.withEnum(t), nil
	}
	if items := r.ofItems().withEnum(t.Elem()); items != nil {
		if r == nil {
			r = &rules{}
		}
		r.items = items
	}
	return r, nil
}

// withEnum adds the values of the type if it is an Enum. It changes r, or returns
// new rules if r is nil.
func (r *rules) withEnum(t reflect.Type) *rules {
	enum, ok := reflect.New(t).Interface().(jsonschema.Enum)
	if !ok {
		return r
	}
	if r == nil {
		r = &rules{}
	}
	for _, value := range enum.Enum() {
		r.enum = append(r.enum, fmt.Sprint(value))
	}
	return r
}

// tagParser parses tags and keeps the first error.
type tagParser struct {
	tag    reflect.StructTag
	prefix string
	found  bool
	err    error
}

func (p *tagParser) text(name string) (string, bool) {
	text, ok := p.tag.Lookup(p.prefix + name)
	p.found = p.found || ok
	return text, ok
}

func (p *tagParser) fail(name string, err error) {
	if p.err == nil {
		p.err = fmt.Errorf("tag %s%s: %w", p.prefix, name, err)
	}
}

func (p *tagParser) whole(name string) *int64 {
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail(name, err)
	}
	return &n
}

func (p *tagParser) number(name string) *float64 {
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.fail(name, err)
	}
	return &f
}

func (p *tagParser) regexp(name string) *regexp.Regexp {
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		p.fail(name, err)
	}
	return re
}

// enum parses a JSON array or a comma-separated list.
func (p *tagParser) enum(name string) []string {
	text, ok := p.text(name)
	if !ok {
		return nil
	}
	if !strings.HasPrefix(text, "[") {
		return strings.Split(text, ",")
	}
	var raw []any
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		p.fail(name, err)
	}
	list := make([]string, len(raw))
	for i, v := range raw {
		if f, ok := v.(float64); ok {
			list[i] = plainNumber(f)
		} else {
			list[i] = fmt.Sprint(v)
		}
	}
	return list
}

// valueClass determines which rules apply to a type.
type valueClass uint8

const (
	otherClass valueClass = iota
	stringClass
	numberClass
	listClass
	mapClass
)

// suits returns an error if a rule does not apply to the class.
func (r *rules) suits(class valueClass) error {
	if r == nil {
		return nil
	}
	wrong := ""
	switch {
	case (r.minLength != nil || r.maxLength != nil || r.pattern != nil) && class != stringClass:
		wrong = "minLength, maxLength or pattern"
	case (r.minimum != nil || r.maximum != nil || r.above != nil || r.below != nil) && class != numberClass:
		wrong = "minimum or maximum"
	case r.enum != nil && class != stringClass && class != numberClass:
		wrong = "enum"
	case (r.minItems != nil || r.maxItems != nil) && class != listClass:
		wrong = "minItems or maxItems"
	case r.items != nil && class != listClass && class != mapClass:
		wrong = itemsPrefix + "*"
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("rule %s does not suit the type", wrong)
}

func (r *rules) ofItems() *rules {
	if r == nil {
		return nil
	}
	return r.items
}

func (r *rules) checkString(b *binder, s string) bool {
	if r == nil {
		return true
	}
	// No text has more characters than bytes, so most need no counting.
	if r.maxLength != nil && int64(len(s)) > *r.maxLength && int64(utf8.RuneCountInString(s)) > *r.maxLength {
		return b.Report(fault.MaxLength(*r.maxLength))
	}
	if r.minLength != nil && int64(utf8.RuneCountInString(s)) < *r.minLength {
		return b.Report(fault.MinLength(*r.minLength))
	}
	if r.enum != nil && !slices.Contains(r.enum, s) {
		return b.Report(fault.OneOf(r.enum...))
	}
	if r.pattern != nil && !r.pattern.MatchString(s) {
		return b.Report(fault.Pattern(r.pattern))
	}
	return true
}

func (r *rules) checkNumber(b *binder, f float64) bool {
	switch {
	case r == nil:
		return true
	case r.minimum != nil && f < *r.minimum:
		return b.Report(fault.Minimum(*r.minimum))
	case r.above != nil && f <= *r.above:
		return b.Report(fault.Above(*r.above))
	case r.maximum != nil && f > *r.maximum:
		return b.Report(fault.Maximum(*r.maximum))
	case r.below != nil && f >= *r.below:
		return b.Report(fault.Below(*r.below))
	case r.enum != nil && !slices.Contains(r.enum, plainNumber(f)):
		return b.Report(fault.OneOf(r.enum...))
	}
	return true
}

// maxListItems limits lists without maxItems, because a few bytes of a body can
// become a large Go value.
const maxListItems = 100_000

func (r *rules) checkCount(b *binder, n int) bool {
	most := int64(maxListItems)
	if r != nil && r.maxItems != nil {
		most = *r.maxItems
	}
	if int64(n) > most {
		return b.Report(fault.MaxItems(most, n))
	}
	if r != nil && r.minItems != nil && int64(n) < *r.minItems {
		return b.Report(fault.MinItems(*r.minItems, n))
	}
	return true
}

func plainNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
