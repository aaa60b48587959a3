package step

import (
	"math"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// AnswerKind is the kind of answer to a question.
type AnswerKind string

// The kinds of answers.
const (
	AnswerNumber AnswerKind = "number"
	AnswerText   AnswerKind = "text"
	// AnswerChoice is one of several texts.
	AnswerChoice AnswerKind = "choice"
	// AnswerThumbs is true for thumbs up, false for thumbs down.
	AnswerThumbs AnswerKind = "thumbs"
)

var answerKinds = []string{string(AnswerNumber), string(AnswerText), string(AnswerChoice), string(AnswerThumbs)}

const (
	// maxAnswer limits the text of an answer, in bytes.
	maxAnswer  = 10_000
	maxChoices = 100
	maxPeople  = 100
	// maxLabel limits a choice and an address, in bytes.
	maxLabel = 500
)

// PersonQuestion is what a step asks a person.
type PersonQuestion struct {
	Text string
	Kind AnswerKind
	// Min and Max limit a number; nil means no limit.
	Min, Max *float64
	// Choices are the texts of which the answer is one.
	Choices []string
	// People are the addresses of those who are asked; without any, everyone is.
	People []string
	// Comment reports whether a comment is asked for.
	Comment bool
}

// readQuestion reads the question of a HUMAN step, nil if it does not wait.
func readQuestion(c *settings) *PersonQuestion {
	q := &PersonQuestion{Text: c.optionalText("prompt")}
	dataType, kind := c.choice("data_type"), c.optionalText("input_type")
	q.Min, q.Max = limit(c, "min"), limit(c, "max")
	if !c.flag(false, "wait") {
		return nil
	}
	q.Kind = readAnswerKind(c, dataType, kind)
	q.Comment = c.flag(false, "ask_comment")
	q.Choices = distinctTexts(c, "choices", maxChoices)
	q.People = distinctTexts(c, "people", maxPeople)
	if q.Kind == AnswerChoice && len(q.Choices) < 2 {
		c.reportAt("choices", fault.Rulef("value_error", "There must be at least two choices"))
	}
	if q.Min != nil && q.Max != nil && *q.Min > *q.Max {
		c.reportAt("max", fault.Rulef("value_error", "The maximum must not be less than the minimum"))
	}
	return q
}

// readAnswerKind returns the kind of answer. Only columns that wait are limited
// to these kinds.
func readAnswerKind(c *settings, dataType, kind string) AnswerKind {
	switch {
	case kind != "":
		return AnswerKind(c.word("", answerKinds, "input_type"))
	case dataType == "number":
		return AnswerNumber
	}
	return AnswerText
}

// limit returns a limit of a number, nil if there is none.
func limit(c *settings, key string) *float64 {
	n, given := c.number(key)
	if !given {
		return nil
	}
	f := n.float()
	if math.IsInf(f, 0) {
		c.reportAt(key, fault.NumberType)
	}
	return &f
}

// distinctTexts returns a list of different texts.
func distinctTexts(c *settings, key string, most int) []string {
	list, _ := c.get(key)
	if !list.Given() {
		return nil
	}
	c.Enter(key)
	defer c.Leave()
	texts := shape.List(&c.Reader, list, most, func(v jsontree.Value) string {
		text, _ := c.Text(v, 1, maxLabel)
		if text != "" && strings.TrimSpace(text) != text {
			c.Report(fault.Rulef("value_error", "There must be no space at the beginning or end"))
		}
		return text
	})
	for i, text := range texts {
		if slices.Contains(texts[:i], text) {
			c.Report(fault.Rulef("value_error", "'%s' is listed twice", text))
			break
		}
	}
	return texts
}

// Asks reports whether the person with the address is asked. The address is ""
// for callers without one.
func (q *PersonQuestion) Asks(email string) bool {
	return len(q.People) == 0 || slices.ContainsFunc(q.People, func(one string) bool { return strings.EqualFold(one, email) })
}

// Check returns an Invalid fault, at the location, unless the value answers the
// question.
func (q *PersonQuestion) Check(value jsontree.Value, loc []any) error {
	problems := fault.Problems{}
	if rule, broken := q.broken(value); broken {
		problems.Report(loc, rule)
	}
	return problems.Err()
}

// broken returns the rule that the value breaks.
func (q *PersonQuestion) broken(value jsontree.Value) (fault.Rule, bool) {
	switch q.Kind {
	case AnswerNumber:
		return q.brokenByNumber(value)
	case AnswerThumbs:
		return fault.BoolType, value.Kind() != jsontree.Bool
	}
	text := value.Str()
	switch {
	case value.Kind() != jsontree.String:
		return fault.StringType, true
	case q.Kind == AnswerChoice:
		return fault.OneOf(q.Choices...), !slices.Contains(q.Choices, text)
	case strings.TrimSpace(text) == "":
		return fault.MinLength(1), true
	}
	return fault.MaxBytes(maxAnswer), len(text) > maxAnswer
}

func (q *PersonQuestion) brokenByNumber(value jsontree.Value) (fault.Rule, bool) {
	n, ok := value.Float()
	switch {
	case value.Kind() != jsontree.Number || !ok || math.IsInf(n, 0):
		return fault.NumberType, true
	case q.Min != nil && n < *q.Min:
		return fault.Minimum(*q.Min), true
	case q.Max != nil && n > *q.Max:
		return fault.Maximum(*q.Max), true
	}
	return fault.Rule{}, false
}
