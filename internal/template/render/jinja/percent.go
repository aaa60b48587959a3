package jinja

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// percent implements Python's format % values.
func (r *run) percent(format string, values value) string {
	f := formatter{run: r, source: values}
	f.values, f.isTuple = values.(tuple)
	if !f.isTuple {
		f.values = tuple{values}
	}
	for {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			f.add(format)
			break
		}
		f.add(format[:at])
		format = f.field(format[at+1:])
	}
	if f.next < len(f.values) && !subscriptable(values) {
		fail("not all arguments were converted")
	}
	return f.out.String()
}

// subscriptable values may remain unused, since a format can select from them.
func subscriptable(values value) bool {
	switch values.(type) {
	case *dict, *list:
		return true
	}
	return false
}

// formatter collects the output of one format.
type formatter struct {
	*run
	out     strings.Builder
	source  value
	values  tuple
	isTuple bool
	next    int
}

func (f *formatter) add(s string) {
	f.spend(1)
	f.reserve(len(s))
	f.out.WriteString(s)
}

// spec is the format of a field.
type spec struct {
	fill      string
	align     alignment
	aligned   bool   // the alignment is explicit
	positive  string // sign of non-negative numbers
	zero      bool
	comma     bool
	width     int64
	precision int64 // -1: none
	verb      byte  // 0: none
}

// field writes the field after a percent sign and returns the rest.
func (f *formatter) field(rest string) string {
	var v value = absent{}
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexByte(rest, ')')
		d, ok := f.source.(*dict)
		if end < 0 || !ok {
			fail("format requires a mapping")
		}
		v, _ = f.get(d, rest[1:end])
		rest = rest[end+1:]
	}
	s := spec{fill: " ", align: alignRight, precision: -1}
	rest = s.flags(rest)
	s.width, rest = leadingInt(rest)
	if strings.HasPrefix(rest, ".") {
		s.precision, rest = leadingInt(rest[1:])
	}
	if rest == "" {
		fail("incomplete format")
	}
	s.verb = rest[0]
	if s.verb == '%' {
		f.add("%")
		return rest[1:]
	}
	if v == value(absent{}) {
		v = f.take()
	}
	f.add(f.formatted(v, s))
	return rest[1:]
}

func (f *formatter) take() value {
	if f.next >= len(f.values) {
		fail("not enough arguments for the format")
	}
	f.next++
	return f.values[f.next-1]
}

func (s *spec) flags(rest string) string {
	for rest != "" {
		switch rest[0] {
		case '-':
			s.align, s.aligned = alignLeft, true
		case '0':
			s.zero = true
		case '+', ' ':
			s.positive = rest[:1]
		case '#':
		default:
			return rest
		}
		rest = rest[1:]
	}
	return rest
}

// leadingInt reads a number of up to nine digits.
func leadingInt(s string) (int64, string) {
	n := digits(s, "0123456789")
	if n > 9 {
		panic(&LimitError{"memory"})
	}
	value, _ := strconv.ParseInt("0"+s[:n], 10, 64)
	return value, s[n:]
}

// formatted formats a value by its spec.
func (r *run) formatted(v value, s spec) string {
	var out string
	switch s.verb {
	case 's', 'c', 0:
		out = r.str(v)
	case 'r', 'a':
		out = r.repr(v)
	default:
		return r.formattedNumber(v, s)
	}
	if s.precision >= 0 && int64(runeCount(out)) > s.precision {
		r.reserve(4 * len(out))
		out = string([]rune(out)[:s.precision])
	}
	return r.pad(out, s.width, s.fill, s.align)
}

// maxPrecision exceeds the number of digits of a float.
const maxPrecision = 1100

func (r *run) formattedNumber(v value, s spec) string {
	n, ok := number(v)
	if !ok {
		fail("a number is required, not %s", typeName(v))
	}
	if s.precision > maxPrecision {
		panic(&LimitError{"output"})
	}
	digits := numberText(n, s)
	sign := s.positive
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if s.comma {
		digits = grouped(digits)
	}
	if s.verb == '%' {
		digits += "%"
	}
	if s.zero && (s.align == alignRight || !s.aligned) {
		return sign + r.pad(digits, s.width-int64(len(sign)), "0", alignRight)
	}
	return r.pad(sign+digits, s.width, s.fill, s.align)
}

func numberText(n value, s spec) string {
	precision := 6
	if s.precision >= 0 {
		precision = int(s.precision)
	}
	switch s.verb {
	case 'd', 'i', 'u':
		return wholeText(n, 10)
	case 'x':
		return wholeText(n, 16)
	case 'X':
		return strings.ToUpper(wholeText(n, 16))
	case 'o':
		return wholeText(n, 8)
	case 'b':
		return wholeText(n, 2)
	case 'f', 'F':
		return strconv.FormatFloat(asFloat(n), 'f', precision, 64)
	case '%':
		return strconv.FormatFloat(asFloat(n)*100, 'f', precision, 64)
	case 'e', 'E':
		return strconv.FormatFloat(asFloat(n), s.verb, precision, 64)
	case 'g', 'G':
		return strconv.FormatFloat(asFloat(n), s.verb, max(precision, 1), 64)
	}
	fail("unknown format %q", s.verb)
	return ""
}

func wholeText(n value, base int) string {
	if f, ok := n.(float64); ok {
		n = floatToInt(f, int64(0))
	}
	if i, ok := n.(int64); ok {
		return strconv.FormatInt(i, base)
	}
	return n.(*big.Int).Text(base)
}

// grouped adds thousands separators.
func grouped(digits string) string {
	whole, fraction := digits, ""
	if dot := strings.IndexAny(digits, ".e"); dot >= 0 {
		whole, fraction = digits[:dot], digits[dot:]
	}
	var out strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(c)
	}
	return out.String() + fraction
}

// parseSpec parses the part after the colon of a field of str.format.
func parseSpec(text string) spec {
	s := spec{fill: " ", precision: -1}
	if _, width := utf8.DecodeRuneInString(text); width > 0 && len(text) > width && s.alignBy(text[width]) {
		s.fill, text = text[:width], text[width+1:]
	} else if text != "" && s.alignBy(text[0]) {
		text = text[1:]
	}
	for text != "" && strings.IndexByte("+- 0#", text[0]) >= 0 {
		if text[0] == '+' || text[0] == ' ' {
			s.positive = text[:1]
		}
		s.zero = s.zero || text[0] == '0'
		text = text[1:]
	}
	s.width, text = leadingInt(text)
	if strings.HasPrefix(text, ",") || strings.HasPrefix(text, "_") {
		s.comma, text = true, text[1:]
	}
	if strings.HasPrefix(text, ".") {
		s.precision, text = leadingInt(text[1:])
	}
	if len(text) > 1 {
		fail("invalid format")
	}
	if text != "" {
		s.verb = text[0]
	}
	return s
}

func (s *spec) alignBy(c byte) bool {
	align, ok := map[byte]alignment{'<': alignLeft, '>': alignRight, '^': alignCenter}[c]
	if ok {
		s.align, s.aligned = align, true
	}
	return ok
}
