package textindex

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The naive implementation that the index is compared with. It shares
// nothing with it but the rules.

type naiveToken struct {
	raw, text string // text has no apostrophes
	cut       bool
	// unspaced says that it is of a script without spaces, last that it is the
	// last of several characters in a row.
	unspaced, last bool
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func naiveTokens(text string) []naiveToken {
	var tokens []naiveToken
	runes := []rune(strings.ToLower(text))
	for i := 0; i < len(runes); {
		if !unicode.IsLetter(runes[i]) && !unicode.IsNumber(runes[i]) {
			i++
			continue
		}
		if isUnspaced(runes[i]) {
			characters := naiveCharacters(runes[i:])
			tokens = append(tokens, naivePairs(characters)...)
			i += len([]rune(strings.Join(characters, "")))
			continue
		}
		end := i
		for end < len(runes) && !isUnspaced(runes[end]) && (unicode.IsLetter(runes[end]) || unicode.IsNumber(runes[end]) ||
			unicode.IsMark(runes[end]) || isApostrophe(runes[end])) {
			end++
		}
		tokens = append(tokens, newNaiveToken(runes[i:end]))
		i = end
	}
	return tokens
}

var unspacedText = regexp.MustCompile(
	`^[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰﾞﾟ〆]$`)

func isUnspaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && unspacedText.MatchString(string(r))
}

// naiveCharacters returns the characters of a script without spaces at the start
// of the text, each with its marks.
func naiveCharacters(runes []rune) []string {
	var characters []string
	for _, r := range runes {
		switch {
		case isUnspaced(r):
			characters = append(characters, string(r))
		case unicode.IsMark(r):
			characters[len(characters)-1] += string(r)
		default:
			return characters
		}
	}
	return characters
}

// naivePairs returns every two neighbours and the last character.
func naivePairs(characters []string) []naiveToken {
	var tokens []naiveToken
	for i, character := range characters {
		if i+1 < len(characters) {
			character += characters[i+1]
		}
		token := newNaiveToken([]rune(character))
		token.unspaced, token.last = true, i > 0 && i == len(characters)-1
		tokens = append(tokens, token)
	}
	return tokens
}

func newNaiveToken(runes []rune) naiveToken {
	whole := strings.TrimRightFunc(string(runes), isApostrophe)
	kept := whole
	for len(kept) > 64 {
		_, size := utf8.DecodeLastRuneInString(kept)
		kept = kept[:len(kept)-size]
	}
	cut := kept != whole
	kept = strings.TrimRightFunc(kept, isApostrophe)
	text := strings.Map(func(r rune) rune {
		if isApostrophe(r) {
			return -1
		}
		return r
	}, kept)
	return naiveToken{raw: kept, text: text, cut: cut}
}

// naiveDistance is the optimal string alignment distance.
func naiveDistance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
				continue
			case j == 0:
				d[i][j] = i
				continue
			}
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// naiveMatches says whether a word of a text matches a word of a query.
func naiveMatches(query, token naiveToken) bool {
	if strings.HasPrefix(token.text, query.text) {
		return true
	}
	if query.unspaced {
		return false
	}
	q, t := []rune(query.text), []rune(token.text)
	if q[0] != t[0] || slices.ContainsFunc(q, unicode.IsNumber) {
		return false
	}
	limit := 0
	if len(q) >= 3 {
		limit = 1
	}
	if len(q) >= 6 {
		limit = 2
	}
	if naiveDistance(q, t) <= limit {
		return true
	}
	if len(q) >= 5 {
		for n := 1; n <= len(t); n++ {
			if naiveDistance(q, t[:n]) <= 1 {
				return true
			}
		}
	}
	return false
}

// naiveQuery answers one query. It remembers what it found out about a token.
type naiveQuery struct {
	words []naiveToken
	known []map[naiveToken]bool
}

func newNaiveQuery(q string) *naiveQuery {
	n := &naiveQuery{words: slices.DeleteFunc(naiveTokens(q), func(t naiveToken) bool { return t.last })}
	for range n.words {
		n.known = append(n.known, map[naiveToken]bool{})
	}
	return n
}

func (n *naiveQuery) matches(word int, token naiveToken) bool {
	match, known := n.known[word][token]
	if !known {
		match = naiveMatches(n.words[word], token)
		n.known[word][token] = match
	}
	return match
}

// match says whether the wanted fields of a document match, and whether they
// do so exactly.
func (n *naiveQuery) match(d document, wanted []int) (match, exact bool) {
	var tokens []naiveToken
	for _, f := range wanted {
		if f < len(d.tokens) {
			tokens = append(tokens, d.tokens[f]...)
		}
	}
	match, exact = true, true
	for i, q := range n.words {
		match = match && slices.ContainsFunc(tokens, func(t naiveToken) bool {
			return n.matches(i, t)
		})
		exact = exact && slices.ContainsFunc(tokens, func(t naiveToken) bool {
			return q.text == t.text && q.cut == t.cut || q.unspaced && strings.HasPrefix(t.text, q.text)
		})
	}
	return match, exact
}
