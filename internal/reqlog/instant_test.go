package reqlog

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// tree parses JSON text of a test.
func tree(t testing.TB, text string) jsontree.Value {
	t.Helper()
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return v
}

func TestParseInstant(t *testing.T) {
	t.Parallel()
	half := time.Date(2025, 3, 15, 10, 30, 0, 500_000_000, time.UTC)
	full := half.Truncate(time.Second)
	midnight := full.Truncate(24 * time.Hour)
	cases := map[string]struct {
		json string
		want time.Time
	}{
		"zulu":                      {`"2025-03-15T10:30:00.5Z"`, half},
		"lower case letters":        {`"2025-03-15t10:30:00.5z"`, half},
		"offset ahead":              {`"2025-03-15T12:30:00.500+02:00"`, half},
		"offset behind":             {`"2025-03-15T05:00:00.5-0530"`, half},
		"offset in hours":           {`"2025-03-15T11:30:00.5+01"`, half},
		"offset over midnight":      {`"2025-03-16T00:00:00+13:30"`, full},
		"naive is UTC":              {`"2025-03-15T10:30:00.500000"`, half},
		"space for T":               {`"2025-03-15 10:30:00.5"`, half},
		"comma for the point":       {`"2025-03-15T10:30:00,5Z"`, half},
		"beyond microseconds":       {`"2025-03-15T10:30:00.500000999Z"`, half},
		"without seconds":           {`"2025-03-15T10:30Z"`, full},
		"date":                      {`"2025-03-15"`, midnight},
		"whole seconds":             {`1742034600`, full},
		"float seconds":             {`1742034600.5`, half},
		"exponent":                  {`1.7420346005e9`, half},
		"milliseconds":              {`1742034600500`, half},
		"seconds in a string":       {`"1742034600"`, full},
		"float seconds in a string": {`"1742034600.5"`, half},
		"milliseconds in a string":  {`"1742034600500"`, half},
		"microseconds of a float":   {`1742034600.123457`, full.Add(123457 * time.Microsecond)},
		"epoch":                     {`0`, time.Unix(0, 0)},
		"before the epoch":          {`-1.5`, time.UnixMicro(-1_500_000)},
		"negative in a string":      {`"-1.5"`, time.UnixMicro(-1_500_000)},
		"largest seconds":           {`20000000000`, time.Unix(20_000_000_000, 0)},
		"smallest milliseconds":     {`20000000001`, time.UnixMilli(20_000_000_001)},
		"leap day":                  {`"2024-02-29T00:00:00Z"`, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		"first instant":             {`"0001-01-01T00:00:00Z"`, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)},
		"last instant":              {`"9999-12-31T23:59:59.999999Z"`, time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)},
		"negative zero offset":      {`"9999-12-31T23:59:59-00:00"`, time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseInstant(tree(t, c.json))
			if err != nil {
				t.Fatalf("ParseInstant(%s): %v", c.json, err)
			}
			if diff := cmp.Diff(c.want.UTC(), got.Time()); diff != "" {
				t.Errorf("ParseInstant(%s) (-want +got):\n%s", c.json, diff)
			}
		})
	}
}

func TestParseInstantRejects(t *testing.T) {
	t.Parallel()
	for _, json := range []string{
		`null`, `true`, `[]`, `{}`, `""`, `" "`, `"now"`, `"NaN"`, `"Inf"`, `"-"`, `"."`, `"1."`, `".5"`, `"+5"`, `"1e3"`, `"0x10"`, `"1_000"`,
		`1e300`, `-1e300`, `1e999`, `"` + strconv.FormatFloat(1e40, 'f', 0, 64) + `"`, `253402300800000`, `"` + strings.Repeat("9", 400) + `"`, `-62135596800001`,
		`"2025-3-15"`, `"2025-03-15T"`, `"2025-03-15T10"`, `"2025-03-15T10:30:"`, `"2025-03-15T10:30:00."`, `"2025-03-15T10:30:00ZZ"`,
		`"2025-03-15Z"`, `"2025-13-01"`, `"2025-00-01"`, `"2025-02-29"`, `"2025-04-31T00:00:00Z"`, `"2025-03-00"`, `"2025-03-15T24:00:00Z"`,
		`"2025-03-15T10:60:00Z"`, `"2025-03-15T10:30:60Z"`, `"2025-03-15T10:30:00+"`, `"2025-03-15T10:30:00+1"`, `"2025-03-15T10:30:00+01:"`,
		`"2025-03-15T10:30:00+24:00"`, `"2025-03-15T10:30:00+01:60"`, `"2025-03-15T10:30:00*01:00"`, `" 2025-03-15"`, `"2025-03-15 "`,
		`"0000-01-01T00:00:00Z"`, `"0001-01-01T00:00:00+00:01"`, `"9999-12-31T23:59:59-00:01"`, `"12025-03-15T00:00:00Z"`, `"-2025-03-15"`,
		`"2025-03-15T10:30:00\u0000"`, `"２０２５-03-15"`,
	} {
		if got, err := ParseInstant(tree(t, json)); err == nil {
			t.Errorf("ParseInstant(%s) = %v, want an error", json, got.Time())
		}
	}
	if got, err := ParseInstant(jsontree.Value{}); err == nil {
		t.Errorf("ParseInstant of nothing = %v, want an error", got)
	}
}
