package rest

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/swaggest/jsonschema-go"
)

// Time is an instant in microseconds since 1970, UTC. It is formatted as RFC 3339
// with Z, and with a fraction only if there is one. It is parsed from ISO 8601 (UTC
// without an offset, midnight without a time) and from Unix time.
type Time int64

// The instants that have a four-digit year.
var (
	earliest = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	latest   = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC).UnixMicro()
)

const timeLayout = "2006-01-02T15:04:05.999999Z"

// String formats the instant.
func (t Time) String() string { return time.UnixMicro(int64(t)).UTC().Format(timeLayout) }

// MarshalJSON encodes the instant.
func (t Time) MarshalJSON() ([]byte, error) {
	if int64(t) < earliest || int64(t) > latest {
		return nil, errors.New("time outside the years 1 to 9999")
	}
	out := make([]byte, 0, len(timeLayout)+2)
	out = time.UnixMicro(int64(t)).UTC().AppendFormat(append(out, '"'), timeLayout)
	return append(out, '"'), nil
}

// InlineJSONSchema keeps Time out of the named schemas of the documents.
func (Time) InlineJSONSchema() {}

// JSONSchema describes it as it is on the wire.
func (Time) JSONSchema() (jsonschema.Schema, error) {
	s := jsonschema.Schema{}
	s.AddType(jsonschema.String)
	s.WithFormat("date-time")
	return s, nil
}

// BindJSON reads a string or a number.
func (t *Time) BindJSON(v jsontree.Value, loc []any, p *fault.Problems) {
	switch v.Kind() {
	case jsontree.String:
		t.BindText(v.Str(), loc, p)
	case jsontree.Number:
		t.BindText(string(v.Raw()), loc, p)
	default:
		p.Report(loc, fault.DateTime)
	}
}

// BindText reads a parameter.
func (t *Time) BindText(text string, loc []any, p *fault.Problems) {
	parsed, ok := ParseTime(text)
	if !ok {
		p.Report(loc, fault.DateTime)
		return
	}
	*t = parsed
}

var timeLayouts = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
}

// ParseTime parses what BindText accepts. ok is false if the text is not an instant
// of the years 1 to 9999.
func ParseTime(text string) (t Time, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		return 0, false
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return parseUnix(text, seconds)
	}
	iso := strings.ToUpper(text)
	if len(iso) > 10 && iso[10] == ' ' {
		iso = iso[:10] + "T" + iso[11:]
	}
	// An unescaped plus in a query arrives as a space.
	iso = strings.Replace(iso, " ", "+", 1)
	for _, layout := range timeLayouts {
		if parsed, err := time.Parse(layout, iso); err == nil {
			return bounded(parsed.UnixMicro())
		}
	}
	return 0, false
}

// parseUnix interprets numbers up to 2e10 (the year 2603) as seconds, and larger
// ones as milliseconds.
func parseUnix(text string, n float64) (Time, bool) {
	if strings.Trim(text, "+-.0123456789eE") != "" || math.Abs(n) > 1e15 {
		return 0, false
	}
	if math.Abs(n) <= 2e10 {
		n *= 1000
	}
	return bounded(int64(math.Round(n * 1000)))
}

func bounded(micros int64) (Time, bool) {
	return Time(micros), earliest <= micros && micros <= latest
}
