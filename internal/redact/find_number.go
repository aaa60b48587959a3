package redact

// group is one run of digits of a number that is written in groups.
type group struct{ start, end int }

const (
	// maxGroups and maxDigits are those of the longest number that is recognized.
	maxGroups = 8
	maxDigits = 19
)

// number is a number as people write it: groups of digits with something between
// them.
type number struct {
	groups [maxGroups]group
	count  int
	digits [maxDigits]byte
	// total is the number of digits up to the last group.
	total int
}

// read reads the groups of digits from an index on. between returns the length of
// what may stand between two groups, 0 if there is nothing of that kind.
func (n *number) read(text string, at int, between func(rest string) int) {
	for n.count < maxGroups {
		end := at
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if end == at || n.total+end-at > maxDigits {
			break
		}
		for _, digit := range []byte(text[at:end]) {
			n.digits[n.total] = digit - '0'
			n.total++
		}
		n.groups[n.count] = group{at, end}
		n.count++
		at = end + between(text[end:])
	}
}

// size returns the number of digits of a group.
func (n *number) size(group int) int { return n.groups[group].end - n.groups[group].start }

// end returns where the last group ends.
func (n *number) end() int { return n.groups[n.count-1].end }

// dropGroup removes the last group.
func (n *number) dropGroup() {
	n.total -= n.size(n.count - 1)
	n.count--
}

func cardTriggers(first, second byte) bool { return '2' <= first && first <= '6' && isDigit(second) }

// findCard finds the number of a payment card that begins with the digit. What
// follows it may look like one more group: then the longest number counts.
func findCard(text string, at int) (start, end int) {
	if byteAt(text, at-1) == '.' {
		return 0, 0
	}
	var n number
	n.read(text, at, oneSeparator)
	for n.count > 0 {
		if ends(text, n.end()) && evenGroups(&n) && isCard(n.digits[:n.total]) {
			return at, n.end()
		}
		n.dropGroup()
	}
	return 0, 0
}

func oneSeparator(rest string) int {
	if len(rest) > 1 && (rest[0] == ' ' || rest[0] == '-') && isDigit(rest[1]) {
		return 1
	}
	return 0
}

// evenGroups reports whether the groups are as long as those printed on cards.
func evenGroups(n *number) bool {
	for i := range n.count {
		if n.size(i) < 3 {
			return false
		}
	}
	return true
}

// isCard reports whether digits are the number of a card: the length and the first
// digits of a network, and the check digit.
func isCard(d []byte) bool {
	if len(d) < 13 {
		return false
	}
	two, four := int(d[0])*10+int(d[1]), int(d[0])*1000+int(d[1])*100+int(d[2])*10+int(d[3])
	switch {
	case d[0] == 4: // Visa
		return (len(d) == 13 || len(d) == 16 || len(d) == 19) && luhn(d)
	case two == 34 || two == 37: // American Express
		return len(d) == 15 && luhn(d)
	case two == 36 || two == 38 || two == 39 || 3000 <= four && four <= 3059: // Diners Club
		return len(d) >= 14 && luhn(d)
	case 51 <= two && two <= 55 || 2221 <= four && four <= 2720: // Mastercard
		return len(d) == 16 && luhn(d)
	case two == 35 || two == 60 || two == 62 || two == 64 || two == 65: // JCB, Discover, UnionPay, RuPay
		return len(d) >= 16 && luhn(d)
	default:
		return false
	}
}

// luhn checks the last digit: every second digit from the right counts double.
func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		v := int(d[len(d)-1-i])
		if i%2 == 1 {
			v *= 2
			if v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

func phoneTriggers(first, second byte) bool {
	if first == '+' || first == '(' {
		return isDigit(second)
	}
	return isDigit(first) && (isDigit(second) || isPhoneSign(second))
}

// findPhone finds the phone number that begins with the character: in the
// international form, or a national one that is written in groups. The longest
// counts.
func findPhone(text string, at int) (start, end int) {
	from := at
	switch c := text[at]; {
	case c == '+' || c == '(':
		from++
	case c != '0' && !isPhoneSign(byteAt(text, at+1)) && !isPhoneSign(byteAt(text, at+3)):
		return 0, 0 // neither American nor with a prefix
	}
	if !begins(text, at) || before(text, at) {
		return 0, 0
	}
	var n number
	n.read(text, from, phoneSeparator)
	for n.count > 0 {
		if ends(text, n.end()) && isPhone(text, at, &n) {
			return at, n.end()
		}
		n.dropGroup()
	}
	return 0, 0
}

// before reports whether what stands before a number makes it part of another one,
// a path or a sum.
func before(text string, at int) bool {
	switch byteAt(text, at-1) {
	case '.', '-', '/', '+', '=', ',':
		return isWord[byteAt(text, at-2)]
	case '(':
		return byteAt(text, at) != '+' // it was looked at with its bracket
	}
	return false
}

// phoneSeparator returns the length of what separates groups: a space, hyphen, dot
// or slash, or a bracket with a space beside it.
func phoneSeparator(rest string) int {
	length := 0
	for length < len(rest) && length < 3 && isPhoneSign(rest[length]) {
		length++
	}
	if length == 0 || length == len(rest) || !isDigit(rest[length]) || length > 1 && !bracketed(rest[:length]) {
		return 0
	}
	return length
}

func isPhoneSign(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')'
}

func bracketed(signs string) bool {
	for i := range len(signs) {
		if signs[i] == '(' || signs[i] == ')' {
			return true
		}
	}
	return false
}

func isPhone(text string, at int, n *number) bool {
	switch d := n.digits[:n.total]; {
	case text[at] == '+':
		return len(d) >= 8 && len(d) <= 16 && d[0] != 0
	case text[at] == '(':
		return n.size(0) <= 5 && byteAt(text, n.groups[0].end) == ')' && len(d) >= 9 && len(d) <= 12
	case d[0] == 0 && n.total > 1 && d[1] == 0:
		return len(d) >= 11 && len(d) <= 17 && d[2] != 0
	case d[0] == 0:
		return n.count > 1 && n.count < 7 && n.size(0) >= 3 && byteAt(text, n.groups[0].end) != '.' && len(d) >= 9 && len(d) <= 12
	default:
		return isAmerican(n)
	}
}

// isAmerican reports whether the number is written as in North America: 555-123-4567,
// or with the country code 1 in front.
func isAmerican(n *number) bool {
	first := n.count - 3
	if first < 0 || first > 1 || first == 1 && (n.size(0) != 1 || n.digits[0] != 1) {
		return false
	}
	if n.size(first) != 3 || n.size(first+1) != 3 || n.size(first+2) != 4 {
		return false
	}
	area, exchange := n.digits[n.total-10], n.digits[n.total-7]
	return area >= 2 && exchange >= 2
}
