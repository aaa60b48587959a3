package redact

import "net/netip"

func ipTriggers(first, second byte) bool {
	if first == ':' {
		return second == ':' || isHex(second)
	}
	return isDigit(first) && (isDigit(second) || second == '.')
}

// findIP finds the IP address that begins with the digit, or whose first colon it
// is.
func findIP(text string, at int) (start, end int) {
	if text[at] == ':' {
		return findIPv6(text, at)
	}
	if byteAt(text, at-1) == '.' {
		return 0, 0
	}
	i := at
	for part := range 4 {
		if part > 0 {
			if byteAt(text, i) != '.' {
				return 0, 0
			}
			i++
		}
		length := octet(text, i)
		if length == 0 {
			return 0, 0
		}
		i += length
	}
	if !ends(text, i) || byteAt(text, i) == '.' && isDigit(byteAt(text, i+1)) {
		return 0, 0
	}
	return at, i
}

// octet returns the length of a number up to 255 without leading zeros, 0 if there
// is none.
func octet(text string, at int) int {
	value, length := 0, 0
	for length < 4 && isDigit(byteAt(text, at+length)) {
		value = value*10 + int(text[at+length]-'0')
		length++
	}
	if value > 255 || length > 1 && text[at] == '0' {
		return 0
	}
	return length
}

// maxIPv6 is the length of the longest address.
const maxIPv6 = 45

// minIPv6 keeps out what is written with two colons in programs, and addresses that
// say nothing.
const minIPv6 = 6

func findIPv6(text string, at int) (start, end int) {
	start = at
	for start > 0 && at-start < 5 && isHex(text[start-1]) {
		start--
	}
	if !begins(text, start) || byteAt(text, start-1) == ':' {
		return 0, 0
	}
	end = at
	hasDigit := false
	for end < len(text) && end-start <= maxIPv6 && (isHex(text[end]) || text[end] == ':' || text[end] == '.') {
		end++
	}
	for end > at && (text[end-1] == '.' || text[end-1] == ':' && text[end-2] != ':') {
		end--
	}
	for i := start; i < end; i++ {
		hasDigit = hasDigit || isDigit(text[i])
	}
	if !hasDigit || end-start < minIPv6 || !ends(text, end) {
		return 0, 0
	}
	if address, err := netip.ParseAddr(text[start:end]); err != nil || !address.Is6() {
		return 0, 0
	}
	return start, end
}
