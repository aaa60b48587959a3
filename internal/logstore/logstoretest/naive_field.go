package logstoretest

import "github.com/promptuary/promptuary/internal/reqlog"

// textsOf returns the values of a string, status, intent or array field. A
// missing error type is no value; a missing model or provider is the empty one.
func textsOf(l *reqlog.Log, field reqlog.Field) []string {
	spec := field.Spec()
	if spec.List != nil {
		return spec.List(l)
	}
	if text, ok := spec.Word(l); ok {
		return []string{text}
	}
	return nil
}

// numberOf returns the value of a numeric field.
func numberOf(l *reqlog.Log, field reqlog.Field) (float64, bool) {
	if fractional(field) {
		return field.Spec().Float(l)
	}
	n, ok := wholeOf(l, field)
	return float64(n), ok
}

// fractional reports whether a numeric field has values that are not whole.
func fractional(field reqlog.Field) bool { return field.Spec().Float != nil }

// wholeOf returns the value of an identifier or of a field of whole numbers.
func wholeOf(l *reqlog.Log, field reqlog.Field) (int64, bool) { return field.Spec().Int(l) }

// instantOf returns the value of a datetime field.
func instantOf(l *reqlog.Log, field reqlog.Field) reqlog.Micros { return field.Spec().Time(l) }

// pairsOf returns the flattened pairs of a nested field.
func pairsOf(l *reqlog.Log, field reqlog.Field) []reqlog.Pair { return field.Spec().Pairs(l) }

// latencyMS returns the time between start and end, at least 0.
func latencyMS(l *reqlog.Log) float64 {
	if l.End < l.Start {
		return 0
	}
	return float64(l.End-l.Start) / 1000
}
