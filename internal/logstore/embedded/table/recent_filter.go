package table

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ErrTooMuch is returned by Search if evaluating the filter on the recent logs would take
// longer than waiting for the table.
var ErrTooMuch = errors.New("the filter takes too long to evaluate on recent logs")

// maxWork is how much a search may do to evaluate its filter on the recent logs. The unit
// is a byte of a text that is compared, which takes one or two nanoseconds.
const maxWork = 16 << 20

// What a condition costs, and each element of a list or pair that it looks at.
const (
	condWork    = 16
	elementWork = 8
)

// evaluator evaluates a filter on logs. Its operands are prepared once.
type evaluator struct {
	matches test
	work    int // that may still be done; below zero, the results are wrong
}

// test reports whether a log meets a part of a filter.
type test func(*reqlog.Log) bool

// newEvaluator prepares a filter, nil for none.
func newEvaluator(filter query.Node) *evaluator {
	e := &evaluator{work: maxWork, matches: join(false, nil)}
	if filter != nil {
		e.matches = query.FilterWriter[test]{Cond: e.cond, Join: join}.Write(filter)
	}
	return e
}

// find returns the logs of a workspace that match, or ErrTooMuch.
func (e *evaluator) find(ctx context.Context, workspace int64, logs []*reqlog.Log) (found []*reqlog.Log, err error) {
	for _, l := range logs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l.Workspace == workspace && e.matches(l) {
			found = append(found, l)
		}
		if e.work < 0 {
			return nil, ErrTooMuch
		}
	}
	return found, nil
}

// spend takes from the work that may be done, and reports whether it suffices.
func (e *evaluator) spend(work int) bool {
	e.work -= work
	return e.work >= 0
}

func join(anyOf bool, parts []test) test {
	return func(l *reqlog.Log) bool {
		return len(parts) == 0 || slices.ContainsFunc(parts, func(part test) bool { return part(l) == anyOf }) == anyOf
	}
}

func (e *evaluator) cond(c query.Cond, negated bool) test {
	holds := e.positive(c)
	return func(l *reqlog.Log) bool { return e.spend(condWork) && holds(l) != negated }
}

// positive prepares a condition with a positive operator. It mirrors logsql.Writer.LogCond.
func (e *evaluator) positive(c query.Cond) test {
	field := c.Field.Spec()
	switch {
	case field.Type == query.TypeIntent:
		mask := document.IntentMask(field, c.Texts)
		return func(l *reqlog.Log) bool { return mask&document.IntentMask(field, field.List(l)) != 0 }
	case field.Type == query.TypeScore && c.Op.Compares():
		return e.score(field, c)
	case field.Type.HasKeys():
		return e.pairs(field, c)
	case field.Type == query.TypeArray:
		return e.array(field, c)
	case field.Flag != nil:
		return field.Flag
	case field.Type == query.TypeIdentifier:
		return identifier(field, c)
	case field.Word != nil:
		holds := e.text(c)
		return func(l *reqlog.Log) bool {
			word, ok := field.Word(l)
			return ok && holds(word)
		}
	default:
		return func(l *reqlog.Log) bool { return valueHolds(c, valueOf(field, "", l)) }
	}
}

func identifier(field *query.FieldSpec, c query.Cond) test {
	ids := setOf(c.IDs)
	return func(l *reqlog.Log) bool {
		id, ok := field.Int(l)
		if c.Op == query.OpIsNull {
			return !ok
		}
		return ok && ids[id]
	}
}

func setOf[T comparable](values []T) map[T]bool {
	set := make(map[T]bool, len(values))
	for _, v := range values {
		set[v] = true
	}
	return set
}

func (e *evaluator) score(field *query.FieldSpec, c query.Cond) test {
	return func(l *reqlog.Log) bool {
		return e.spend(elementWork*len(l.Scores)) && valueHolds(c, valueOf(field, c.Key, l))
	}
}

// pairs prepares a condition on the values under a key. A key without a value is not empty.
func (e *evaluator) pairs(field *query.FieldSpec, c query.Cond) test {
	holds, isEmpty := e.text(c), c.Op == query.OpIsEmpty
	return func(l *reqlog.Log) bool {
		return has(e, field.Pairs(l), len(c.Key), func(p reqlog.Pair) bool {
			return p.Key == c.Key && (isEmpty || !p.Empty && holds(p.Value))
		}) != isEmpty
	}
}

// array prepares a condition on the elements of a list. Those of a list of keys are looked
// for among the pairs, because making the list takes longer.
func (e *evaluator) array(field *query.FieldSpec, c query.Cond) test {
	holds, isEmpty := e.text(c), c.Op == query.OpIsEmpty
	if at := slices.IndexFunc(query.Fields, func(f query.FieldSpec) bool { return f.Keys == field.Name }); at >= 0 {
		return func(l *reqlog.Log) bool {
			return has(e, query.Fields[at].Pairs(l), 0, func(p reqlog.Pair) bool { return holds(p.Key) }) != isEmpty
		}
	}
	return func(l *reqlog.Log) bool { return has(e, field.List(l), 0, holds) != isEmpty }
}

// wordBytes is how many bytes are compared for equality at once.
const wordBytes = 16

// has reports whether one of the elements, or pairs with a key of some size, meets a
// condition.
func has[T any](e *evaluator, elements []T, keySize int, holds func(T) bool) bool {
	return e.spend(len(elements)*(elementWork+keySize/wordBytes)) && slices.ContainsFunc(elements, holds)
}

// maxGrowth is how many times as long a text can be in lower case: three bytes replace one
// that is not UTF-8.
const maxGrowth = 3

// text prepares the comparison of a text. One that cannot match because of its length is
// not read.
func (e *evaluator) text(c query.Cond) func(text string) bool {
	switch {
	case c.Op == query.OpIsEmpty:
		return func(string) bool { return true }
	case c.Op == query.OpUnder:
		below := c.Texts[0] + reqlog.PathSeparator
		return func(text string) bool { return text == c.Texts[0] || strings.HasPrefix(text, below) }
	case ignoresCase(c):
		shortest, holds := len(strings.ToLower(c.Texts[0]))/maxGrowth, c.TextTest()
		return func(text string) bool {
			return len(text) >= shortest && e.spend(len(text)) && holds(strings.ToLower(text))
		}
	default:
		set, longest := setOf(c.Texts), 0
		for _, text := range c.Texts {
			longest = max(longest, len(text))
		}
		return func(text string) bool { return len(text) <= longest && e.spend(len(text)) && set[text] }
	}
}

// ignoresCase reports whether a condition is on a part of a text; those on whole texts and
// on elements of lists are exact.
func ignoresCase(c query.Cond) bool {
	switch c.Op {
	case query.OpKeyContains, query.OpStartsWith, query.OpEndsWith:
		return true
	default:
		return c.Op == query.OpContains && c.Field.Type() != query.TypeArray
	}
}
