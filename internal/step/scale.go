package step

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// ScaleKind is the kind of verdicts that a judge gives.
type ScaleKind string

// The kinds of scales.
const (
	// PassFail verdicts are true or false.
	PassFail ScaleKind = "pass_fail"
	// Range verdicts are numbers between two limits.
	Range ScaleKind = "range"
	// NamedChoices verdicts are one of several texts, each with a score.
	NamedChoices ScaleKind = "choices"
)

var scaleKinds = []ScaleKind{PassFail, Range, NamedChoices}

const (
	// maxLimit limits the limits of a range.
	maxLimit        = 1e9
	maxScaleChoices = 50
	// MaxPoints is the best score of a verdict: that of a passed check.
	MaxPoints = 100
)

// Scale is what the verdict of a judge may be.
type Scale struct {
	Kind ScaleKind
	// Min and Max are the limits of a range, whose numbers are whole unless Decimals
	// is set.
	Min, Max float64
	Decimals bool
	Choices  []ScaleChoice
}

// ScaleChoice is one of the verdicts of a scale of choices.
type ScaleChoice struct {
	Name string
	// Score is what the verdict counts, from 0 to MaxPoints.
	Score float64
}

// readScale reads the scale of a judge. Without one, verdicts are true or false.
func readScale(c *settings) *Scale {
	v, key := c.get("scale")
	scale := &Scale{Kind: PassFail}
	if !v.Given() {
		return scale
	}
	c.Enter(key)
	defer c.Leave()
	object, ok := c.Object(v)
	if !ok {
		return scale
	}
	object.Need("type")
	switch scale.Kind = shape.Choice(object, "type", scaleKinds); scale.Kind {
	case Range:
		scale.readRange(object)
	case NamedChoices:
		scale.readChoices(object)
	}
	return scale
}

func (s *Scale) readRange(o shape.Object) {
	o.Need("min", "max")
	s.Decimals = o.Bool("decimals")
	least, most := o.Float("min", -maxLimit, maxLimit), o.Float("max", -maxLimit, maxLimit)
	if least == nil || most == nil {
		return
	}
	s.Min, s.Max = *least, *most
	switch {
	case s.Min >= s.Max:
		o.ReportAt("max", fault.Rulef("value_error", "The maximum must be greater than the minimum"))
	case !s.Decimals && (s.Min != math.Trunc(s.Min) || s.Max != math.Trunc(s.Max)):
		o.Report(fault.Rulef("value_error", "The limits must be whole numbers unless 'decimals' is true"))
	}
}

func (s *Scale) readChoices(o shape.Object) {
	for one := range o.Objects("choices", maxScaleChoices) {
		required := one.Required()
		name, score := required.Text("name", 1, maxLabel), required.Float("score", 0, MaxPoints)
		switch _, known := s.choice(name); {
		case known:
			one.Report(fault.Rulef("value_error", "'%s' is listed twice", name))
		case strings.TrimSpace(name) != name:
			one.ReportAt("name", fault.Rulef("value_error", "There must be no space at the beginning or end"))
		case name != "" && score != nil:
			s.Choices = append(s.Choices, ScaleChoice{name, *score})
		}
	}
	if len(s.Choices) < 2 && !o.Problems().Any() {
		o.ReportAt("choices", fault.Rulef("value_error", "There must be at least two choices"))
	}
}

// choice returns the choice of that name, ignoring case.
func (s *Scale) choice(name string) (ScaleChoice, bool) {
	for _, one := range s.Choices {
		if strings.EqualFold(one.Name, name) {
			return one, true
		}
	}
	return ScaleChoice{}, false
}

// Points returns what a verdict counts from 0 to MaxPoints, so that scales of all
// kinds count the same. Several verdicts count as their mean. It is not ok for
// anything else.
func (s *Scale) Points(verdict jsontree.Value) (points float64, ok bool) {
	if verdict.Kind() != jsontree.Object {
		return s.pointsOf(verdict)
	}
	for _, member := range verdict.Members() {
		one, ok := s.pointsOf(member)
		if !ok {
			return 0, false
		}
		points += one / float64(verdict.Len())
	}
	return points, verdict.Len() > 0
}

func (s *Scale) pointsOf(verdict jsontree.Value) (float64, bool) {
	switch {
	case s.Kind == PassFail && verdict.Kind() == jsontree.Bool:
		if verdict.Bool() {
			return MaxPoints, true
		}
		return 0, true
	case s.Kind == Range && verdict.Kind() == jsontree.Number:
		n, ok := verdict.Float()
		return MaxPoints * (n - s.Min) / (s.Max - s.Min), ok
	case s.Kind == NamedChoices && verdict.Kind() == jsontree.String:
		choice, ok := s.choice(verdict.Str())
		return choice.Score, ok
	}
	return 0, false
}

// wanted tells a model, and a person, what the verdict may be.
func (s *Scale) wanted() string {
	switch s.Kind {
	case Range:
		kind := "a whole number"
		if s.Decimals {
			kind = "a number"
		}
		return fmt.Sprintf("%s from %s to %s", kind, plain(s.Min), plain(s.Max))
	case NamedChoices:
		names := make([]string, len(s.Choices))
		for i, one := range s.Choices {
			names[i] = strconv.Quote(one.Name)
		}
		return "one of " + strings.Join(names, ", ")
	}
	return "true or false"
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// read returns the verdict in what a model answered. It is not ok unless it is
// exactly one that the scale has.
func (s *Scale) read(answer jsontree.Value) (verdict jsontree.Value, ok bool) {
	switch s.Kind {
	case Range:
		return s.readNumber(answer)
	case NamedChoices:
		choice, ok := s.choice(strings.TrimSpace(Text(answer)))
		if !ok {
			return jsontree.Value{}, false
		}
		verdict, err := textValue(choice.Name)
		return verdict, err == nil
	}
	if answer.Kind() == jsontree.Bool {
		return answer, true
	}
	switch strings.ToLower(strings.TrimSpace(answer.Str())) {
	case "true", "yes", "pass":
		return isTrue, true
	case "false", "no", "fail":
		return isFalse, true
	}
	return jsontree.Value{}, false
}

func (s *Scale) readNumber(answer jsontree.Value) (jsontree.Value, bool) {
	n, ok := numeric(answer)
	if !ok {
		return jsontree.Value{}, false
	}
	f := n.float()
	if math.IsInf(f, 0) || f < s.Min || f > s.Max || !s.Decimals && f != math.Trunc(f) {
		return jsontree.Value{}, false
	}
	verdict, err := floatValue(f)
	return verdict, err == nil
}
