package redact

const (
	minIBAN = 15
	maxIBAN = 34
)

func ibanTriggers(first, second byte) bool { return isUpper(first) && isUpper(second) }

// findIBAN finds the number of a bank account that begins with the letter, in one
// piece or in groups of four.
func findIBAN(text string, at int) (start, end int) {
	if at+minIBAN > len(text) || !isUpper(text[at+1]) || !isDigit(text[at+2]) || !isDigit(text[at+3]) {
		return 0, 0
	}
	var signs [maxIBAN]byte
	count, grouped := 0, false
	for i := at; i < len(text); i++ {
		c := text[i]
		if c == ' ' && count%4 == 0 && (grouped || count == 4) {
			grouped = true
			continue
		}
		if count == maxIBAN || !isDigit(c) && !isUpper(c) {
			break
		}
		signs[count] = c
		count++
		if count >= minIBAN && ends(text, i+1) && checksOut(signs[:count]) {
			end = i + 1 // the longest counts
		}
	}
	return at, end
}

// checksOut checks the two digits behind the country: with the first four signs at
// the end and letters as numbers from 10, the number modulo 97 is 1.
func checksOut(signs []byte) bool {
	rest := 0
	for i := range signs {
		c := signs[(i+4)%len(signs)]
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
			continue
		}
		rest = (rest*100 + int(c-'A') + 10) % 97
	}
	return rest == 1
}
