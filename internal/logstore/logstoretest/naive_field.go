package logstoretest

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// textsOf returns the values of a string, status, intent or array field. A
// missing error type is no value; a missing model or provider is the empty one.
func textsOf(l *reqlog.Log, field query.Field) []string {
	spec := field.Spec()
	if spec.List != nil {
		return spec.List(l)
	}
	if text, ok := spec.Word(l); ok {
		return []string{text}
	}
	return nil
}

// scoreIn returns the value of the score with a name.
func scoreIn(pairs []reqlog.Pair, name string) (float64, bool) {
	for _, p := range pairs {
		if p.Key == name {
			n, err := strconv.ParseFloat(p.Value, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// numberOf returns the value of a numeric field, or the score with a name.
func numberOf(l *reqlog.Log, field query.Field, name string) (float64, bool) {
	if field.Type() == query.TypeScore {
		return scoreIn(pairsOf(l, field), name)
	}
	if fractional(field) {
		return field.Spec().Float(l)
	}
	n, ok := wholeOf(l, field)
	return float64(n), ok
}

// fractional reports whether a numeric field has values that are not whole.
func fractional(field query.Field) bool { return field.Spec().Float != nil }

// wholeOf returns the value of an identifier or of a field of whole numbers.
func wholeOf(l *reqlog.Log, field query.Field) (int64, bool) { return field.Spec().Int(l) }

// instantOf returns the value of a datetime field.
func instantOf(l *reqlog.Log, field query.Field) reqlog.Micros { return field.Spec().Time(l) }

// pairsOf returns the flattened pairs of a nested field.
func pairsOf(l *reqlog.Log, field query.Field) []reqlog.Pair { return field.Spec().Pairs(l) }

// latencyMS returns the time between start and end, at least 0.
func latencyMS(l *reqlog.Log) float64 {
	if l.End < l.Start {
		return 0
	}
	return float64(l.End-l.Start) / 1000
}

// fieldValue is the value of a field; which member has it depends on the type.
type fieldValue struct {
	texts  []string // of strings, intents and arrays
	text   string
	whole  int64
	number float64
	given  bool // whether there is an identifier or number
	at     reqlog.Micros
	flag   bool
	pairs  []reqlog.Pair
}

// valueOf returns the value of a field of a log.
func valueOf(l *reqlog.Log, field query.Field) (v fieldValue) {
	switch field.Type() {
	case query.TypeIdentifier:
		v.whole, v.given = wholeOf(l, field)
	case query.TypeText:
		v.text = field.Spec().Text(l)
	case query.TypeNumeric:
		v.number, v.given = numberOf(l, field, "")
	case query.TypeDatetime:
		v.at = instantOf(l, field)
	case query.TypeBoolean:
		v.flag = field.Spec().Flag(l)
	case query.TypeNested, query.TypeScore:
		v.pairs = pairsOf(l, field)
	default:
		v.texts = textsOf(l, field)
	}
	return v
}
