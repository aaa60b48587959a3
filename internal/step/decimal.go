package step

import (
	"math"
	"strconv"
	"strings"
)

// decimal is a number exactly as it was written: ±0.digits × 10^exponent.
// Numbers that are equal have equal decimals.
type decimal struct {
	negative bool
	// digits begins and ends with a digit other than 0; it is "" for zero.
	digits   string
	exponent int64
}

// farExponent replaces all larger exponents. Adding the length of a text to it
// does not overflow.
const farExponent = 1 << 60

// parseDecimal parses a number with an optional sign, fraction and exponent.
// The whole part may be omitted. Words such as inf are not numbers.
func parseDecimal(text string) (n decimal, ok bool) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		n.negative = text[0] == '-'
		text = text[1:]
	}
	mantissa, exponent := text, int64(0)
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, ok = parseExponent(text[i+1:]); !ok {
			return decimal{}, false
		}
		mantissa = text[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if !isDigits(digits) {
		return decimal{}, false
	}
	significant := strings.TrimLeft(digits, "0")
	n.exponent = exponent + int64(len(whole)) - int64(len(digits)-len(significant))
	if n.digits = strings.TrimRight(significant, "0"); n.digits == "" {
		return decimal{}, true
	}
	return n, true
}

func parseExponent(text string) (int64, bool) {
	bare := strings.TrimLeft(text, "+-")
	if len(text)-len(bare) > 1 || !isDigits(bare) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil && strings.HasPrefix(text, "-") {
		n = -farExponent
	} else if err != nil {
		n = farExponent
	}
	return min(max(n, -farExponent), farExponent), true
}

// compare returns -1, 0 or 1, as n is less than, equal to or more than other.
func (n decimal) compare(other decimal) int {
	if left, right := n.sign(), other.sign(); left != right {
		if left < right {
			return -1
		}
		return 1
	}
	var order int
	switch {
	case n.exponent < other.exponent:
		order = -1
	case n.exponent > other.exponent:
		order = 1
	default:
		order = strings.Compare(n.digits, other.digits)
	}
	if n.negative {
		return -order
	}
	return order
}

func (n decimal) sign() int {
	switch {
	case n.digits == "":
		return 0
	case n.negative:
		return -1
	default:
		return 1
	}
}

// The range of exponents in which numbers are written without one.
const (
	smallestPlain = -5
	largestPlain  = 21
)

// String returns the shortest form of the number in JSON.
func (n decimal) String() string {
	if n.digits == "" {
		return "0"
	}
	sign := ""
	if n.negative {
		sign = "-"
	}
	point := int(min(max(n.exponent, smallestPlain-1), largestPlain+1))
	switch {
	case n.isWhole() && n.exponent <= max(largestPlain, int64(len(n.digits))):
		return sign + n.digits + strings.Repeat("0", int(n.exponent)-len(n.digits))
	case point < smallestPlain || point > largestPlain:
		return sign + n.scientific()
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + n.digits
	default:
		return sign + n.digits[:point] + "." + n.digits[point:]
	}
}

func (n decimal) scientific() string {
	text := n.digits[:1]
	if len(n.digits) > 1 {
		text += "." + n.digits[1:]
	}
	sign := "+"
	if n.exponent-1 < 0 {
		sign = ""
	}
	return text + "e" + sign + strconv.FormatInt(n.exponent-1, 10)
}

// isWhole reports whether the number has no fraction.
func (n decimal) isWhole() bool { return n.exponent >= int64(len(n.digits)) }

// float returns the nearest float64, which may be infinite.
func (n decimal) float() float64 {
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}
