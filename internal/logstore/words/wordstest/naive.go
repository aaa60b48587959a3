// Package wordstest has what tests of words share: a second implementation of the
// rules, which is simple and slow, and texts that are hard to get right.
package wordstest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a word of a text, found by code that shares nothing with package words
// but the rules.
type Token struct {
	// Raw is the word, Text the word without apostrophes.
	Raw, Text string
	// Cut says that the word was longer.
	Cut bool
	// Unspaced says that it is of a script without spaces, Last that it is the
	// last of several characters in a row.
	Unspaced, Last bool
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// Tokens returns the words of a text.
func Tokens(text string) []Token {
	var tokens []Token
	runes := []rune(strings.ToLower(text))
	for i := 0; i < len(runes); {
		if !unicode.IsLetter(runes[i]) && !unicode.IsNumber(runes[i]) {
			i++
			continue
		}
		if isUnspaced(runes[i]) {
			characters := charactersOf(runes[i:])
			tokens = append(tokens, pairs(characters)...)
			i += len([]rune(strings.Join(characters, "")))
			continue
		}
		end := i
		for end < len(runes) && !isUnspaced(runes[end]) && (unicode.IsLetter(runes[end]) || unicode.IsNumber(runes[end]) ||
			unicode.IsMark(runes[end]) || isApostrophe(runes[end])) {
			end++
		}
		tokens = append(tokens, newToken(runes[i:end]))
		i = end
	}
	return tokens
}

var unspacedText = regexp.MustCompile(
	`^[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰﾞﾟ〆]$`)

func isUnspaced(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) && unspacedText.MatchString(string(r))
}

// charactersOf returns the characters of a script without spaces at the start
// of the text, each with its marks.
func charactersOf(runes []rune) []string {
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

// pairs returns every two neighbours and the last character.
func pairs(characters []string) []Token {
	var tokens []Token
	for i, character := range characters {
		if i+1 < len(characters) {
			character += characters[i+1]
		}
		token := newToken([]rune(character))
		token.Unspaced, token.Last = true, i > 0 && i == len(characters)-1
		tokens = append(tokens, token)
	}
	return tokens
}

func newToken(runes []rune) Token {
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
	return Token{Raw: kept, Text: text, Cut: cut}
}

// editDistance is the optimal string alignment distance.
func editDistance(a, b []rune) int {
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

// Matches says whether a word of a text matches a word of a query.
func Matches(query, token Token) bool {
	if strings.HasPrefix(token.Text, query.Text) {
		return true
	}
	if query.Unspaced {
		return false
	}
	q, t := []rune(query.Text), []rune(token.Text)
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
	if editDistance(q, t) <= limit {
		return true
	}
	if len(q) >= 5 {
		for n := 1; n <= len(t); n++ {
			if editDistance(q, t[:n]) <= 1 {
				return true
			}
		}
	}
	return false
}
