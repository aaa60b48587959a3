package reqlog

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/ascii"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// The first and the last instant of the years 1 to 9999: the range of
// four-digit years, which every engine supports.
const (
	minInstant Micros = -62_135_596_800_000_000
	maxInstant Micros = 253_402_300_799_999_999
)

// lastSecond is the largest Unix time in seconds. Larger numbers are
// milliseconds: as seconds they would be after the year 2600.
const lastSecond = 2e10

// errInstant describes valid instants.
var errInstant = errors.New("must be an ISO 8601 date-time or a Unix time in the years 1 to 9999")

// ParseInstant returns the instant of a JSON value: a number is a Unix time, a
// string is parsed by ParseInstantText.
func ParseInstant(v jsontree.Value) (Micros, error) {
	switch v.Kind() {
	case jsontree.Number:
		f, ok := v.Float()
		if !ok {
			return 0, errInstant
		}
		return unixInstant(f)
	case jsontree.String:
		return ParseInstantText(v.Str())
	default:
		return 0, errInstant
	}
}

// ParseInstantText parses an ISO 8601 date-time or date, or a Unix time written
// in digits. A date-time without an offset is in UTC, a date is its midnight in
// UTC. Digits beyond microseconds are dropped.
func ParseInstantText(text string) (Micros, error) {
	if !isDecimal(text) {
		return parseISO(text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, errInstant
	}
	return unixInstant(f)
}

// unixInstant converts seconds or milliseconds to an instant.
func unixInstant(f float64) (Micros, error) {
	scale := 1e6
	if math.Abs(f) > lastSecond {
		scale = 1e3
	}
	micros := math.Round(f * scale)
	// The first check keeps the conversion defined; a float64 rounds the
	// bounds themselves, so the integer is checked again.
	if math.Abs(micros) > math.MaxInt64/2 {
		return 0, errInstant
	}
	return inRange(Micros(micros))
}

func inRange(m Micros) (Micros, error) {
	if m < minInstant || m > maxInstant {
		return 0, errInstant
	}
	return m, nil
}

// isDecimal reports whether text is digits with an optional sign and fraction.
func isDecimal(text string) bool {
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return ascii.IsDigits(whole) && (!dotted || ascii.IsDigits(fraction))
}

// parseISO is written by hand because the accepted formats would need a dozen
// layouts of package time, tried one after the other on every request.
func parseISO(text string) (Micros, error) {
	s := isoScanner{rest: text}
	year := s.number(4, 1, 9999)
	s.need("-")
	month := s.number(2, 1, 12)
	s.need("-")
	day := s.number(2, 1, 31)
	var hour, minute, second, micros, offset int
	if s.rest != "" {
		s.need("Tt ")
		hour = s.number(2, 0, 23)
		s.need(":")
		minute = s.number(2, 0, 59)
		if s.accept(":") {
			second = s.number(2, 0, 59)
			micros = s.fraction()
		}
		offset = s.offset()
	}
	if s.bad || s.rest != "" {
		return 0, errInstant
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, micros*1000, time.UTC)
	if t.Day() != day {
		return 0, errInstant // the month is shorter
	}
	return inRange(At(t) - Micros(offset)*60_000_000)
}

// isoScanner parses a date-time from the left; bad is set by the first invalid
// part.
type isoScanner struct {
	rest string
	bad  bool
}

// accept consumes one byte if it is one of set.
func (s *isoScanner) accept(set string) bool {
	if s.rest == "" || strings.IndexByte(set, s.rest[0]) < 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

func (s *isoScanner) need(set string) {
	if !s.accept(set) {
		s.bad = true
	}
}

// number consumes exactly width digits with a value from low to high.
func (s *isoScanner) number(width, low, high int) int {
	if len(s.rest) < width || !ascii.IsDigits(s.rest[:width]) {
		s.bad = true
		return low
	}
	n := 0
	for i := range width {
		n = n*10 + int(s.rest[i]-'0')
	}
	s.rest = s.rest[width:]
	if n < low || n > high {
		s.bad = true
	}
	return n
}

// fraction consumes the decimals of a second, if any, and returns microseconds.
func (s *isoScanner) fraction() int {
	if !s.accept(".,") {
		return 0
	}
	micros, unit, width := 0, 100_000, 0
	for ; width < len(s.rest) && ascii.IsDigits(s.rest[width:width+1]); width++ {
		micros += int(s.rest[width]-'0') * unit
		unit /= 10
	}
	s.bad = s.bad || width == 0
	s.rest = s.rest[width:]
	return micros
}

// offset consumes the offset from UTC and returns minutes: Z, ±hh, ±hhmm,
// ±hh:mm or nothing.
func (s *isoScanner) offset() int {
	if s.rest == "" || s.accept("Zz") {
		return 0
	}
	sign := 1
	if s.rest[0] == '-' {
		sign = -1
	}
	s.need("+-")
	minutes := 60 * s.number(2, 0, 23)
	if s.accept(":") || s.rest != "" {
		minutes += s.number(2, 0, 59)
	}
	return sign * minutes
}
