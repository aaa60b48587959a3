package redact

import "strings"

const (
	maxLocalPart = 64
	maxDomain    = 253
)

func emailTriggers(first, second byte) bool { return first == '@' && isDomain(second) }

// findEmail finds the e-mail address around an @.
func findEmail(text string, at int) (start, end int) {
	start = at
	for start > 0 && at-start < maxLocalPart && isLocal(text[start-1]) {
		start--
	}
	for start < at && text[start] == '.' {
		start++
	}
	end = domainEnd(text, at+1)
	if start == at || text[at-1] == '.' || end == 0 {
		return 0, 0
	}
	return start, end
}

// isLocal reports whether a byte may be in front of the @. Addresses may contain
// letters of any language.
func isLocal(c byte) bool {
	return isWord[c] || c >= 0x80 || strings.IndexByte(".!#$%&'*+/=?^{|}~-", c) >= 0
}

// domainEnd returns the end of the name of a domain with at least two labels, 0 if
// there is none.
func domainEnd(text string, at int) int {
	end, label, dots := 0, at, 0
	for i := at; i <= len(text) && i-at <= maxDomain; i++ {
		c := byteAt(text, i)
		if isDomain(c) {
			continue
		}
		if i > label && dots > 0 && isTop(text[label:i]) {
			end = i
		}
		if c != '.' || i == label {
			break
		}
		label, dots = i+1, dots+1
	}
	return end
}

func isDomain(c byte) bool { return c != '_' && isWord[c] || c >= 0x80 || c == '-' }

// isTop reports whether a label may be the last one of a domain.
func isTop(label string) bool {
	for i := range len(label) {
		if isDigit(label[i]) || label[i] == '-' && i == 0 {
			return false
		}
	}
	return len(label) >= 2
}
