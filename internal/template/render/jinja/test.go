package jinja

import (
	"math/big"
	"strings"
	"unicode"
)

// test is a predicate on the value before is.
type test func(r *run, input value, a args) bool

// tests are the tests by name. init fills it because some look up others.
var tests map[string]test

func init() {
	tests = map[string]test{
		"boolean": isType("bool"), "string": isType("str"), "float": isType("float"), "integer": isType("int"),
		"none": isType("None"), "mapping": isType("dict"), "undefined": isType("undefined"),
		"number": isType("int", "float", "bool"), "sequence": isType("str", "tuple", "list", "dict", "range", "undefined"),
		"iterable": isType("str", "tuple", "list", "dict", "range", "undefined"),
		"defined":  not(isType("undefined")),
		"true":     func(_ *run, v value, _ args) bool { return v == true },
		"false":    func(_ *run, v value, _ args) bool { return v == false },
		"callable": isCallable, "escaped": isEscaped, "sameas": isSame,
		"odd":  func(r *run, v value, _ args) bool { return !r.divisible(v, int64(2)) },
		"even": func(r *run, v value, _ args) bool { return r.divisible(v, int64(2)) },
		"divisibleby": func(r *run, v value, a args) bool {
			return r.divisible(v, a.to("divisibleby", "num").need(0))
		},
		"lower":  func(r *run, v value, _ args) bool { return cased(r.str(v), unicode.IsUpper, unicode.IsLower) },
		"upper":  func(r *run, v value, _ args) bool { return cased(r.str(v), unicode.IsLower, unicode.IsUpper) },
		"filter": func(r *run, v value, _ args) bool { return filters[r.str(v)] != nil },
		"test":   func(r *run, v value, _ args) bool { return tests[r.str(v)] != nil },
	}
	for operator, names := range map[string]string{
		"==": "== eq equalto", "!=": "!= ne", "<": "< lt lessthan", "<=": "<= le", ">": "> gt greaterthan", ">=": ">= ge", "in": "in",
	} {
		for name := range strings.FieldsSeq(names) {
			tests[name] = comparing(operator)
		}
	}
}

func isType(names ...string) test {
	return func(_ *run, v value, a args) bool {
		a.to("the test")
		return contains(names, typeName(v))
	}
}

func not(t test) test {
	return func(r *run, v value, a args) bool { return !t(r, v, a) }
}

func comparing(operator string) test {
	return func(r *run, v value, a args) bool {
		return r.compare(operator, v, a.to("the test", "other").need(0))
	}
}

func (r *run) divisible(v, by value) bool {
	a, ok := number(v)
	b, ok2 := number(by)
	if !ok || !ok2 {
		fail("%s cannot be divided", typeName(v))
	}
	return compareNumbers(r.numeric("%", a, b), int64(0)) == 0
}

func isCallable(_ *run, v value, _ args) bool {
	_, ok := v.(callable)
	_, function := v.(*method)
	return ok || function
}

func isEscaped(_ *run, v value, _ args) bool {
	_, ok := v.(markup)
	return ok
}

// isSame implements identity: containers by reference, everything else by type
// and value.
func isSame(r *run, v value, a args) bool {
	other := a.to("sameas", "other").need(0)
	switch x := v.(type) {
	case tuple, *big.Int, written:
		return false
	case string, markup:
		return typeName(other) == "str" && r.equal(v, other)
	default:
		if _, unhashable := other.(tuple); unhashable {
			return false
		}
		return x == other
	}
}

// cased reports whether s has letters of one case only.
func cased(s string, forbidden, wanted func(rune) bool) bool {
	return !strings.ContainsFunc(s, forbidden) && strings.ContainsFunc(s, wanted)
}
