package ascii

// IsDigits reports whether a text consists of ASCII digits, at least one.
func IsDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
