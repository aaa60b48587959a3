package logstoretest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// freeText is what somebody types into a search box.
type freeText struct {
	text  string
	words []string
}

func newFreeText(text string) freeText {
	if strings.TrimSpace(text) == "" {
		text = ""
	}
	words := tokens(text)
	// The last character of a run is a word of texts only: there the run ends.
	words = slices.DeleteFunc(words, func(word string) bool { return strings.HasSuffix(word, endOfRun) })
	return freeText{text: text, words: words}
}

// endOfRun marks the last of several characters in a script without spaces.
const endOfRun = "\x00"

// unspaced are the scripts in which words stand without spaces between them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	{R16: []unicode.Range16{{Lo: 'ー', Hi: 'ー', Stride: 1}}},
}

func isUnspaced(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.In(r, unspaced...)
}

// tokens splits a text into lower-case words. Apostrophes vanish; marks that
// change the letter before them stay with it; all else separates. Where a script
// has no spaces, every two characters in a row and the last one are words.
func tokens(text string) []string {
	var words []string
	for _, word := range parts(text) {
		characters := charactersOf(word)
		for i, character := range characters {
			switch {
			case i+1 < len(characters):
				character += characters[i+1]
			case i > 0:
				character += endOfRun
			}
			words = append(words, character)
		}
	}
	return words
}

// charactersOf splits a word in a script without spaces into characters with
// their marks.
func charactersOf(word string) []string {
	if !isUnspaced(word) {
		return []string{word}
	}
	var characters []string
	for _, r := range word {
		if unicode.IsMark(r) {
			characters[len(characters)-1] += string(r)
		} else {
			characters = append(characters, string(r))
		}
	}
	return characters
}

// parts splits a text where neither letters nor numbers are, and where a script
// without spaces meets another one.
func parts(text string) []string {
	var words []string
	var word []rune
	cut := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	for _, r := range strings.ToLower(text) + " " {
		switch {
		case unicode.IsMark(r) && len(word) > 0:
			word = append(word, r)
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			if len(word) > 0 && isUnspaced(string(word)) != isUnspaced(string(r)) {
				cut()
			}
			word = append(word, r)
		case (r == '\'' || r == '’') && !isUnspaced(string(word)):
		default:
			cut()
		}
	}
	return words
}

// matches reports whether the log, which has these words, has a match for every
// word of the text, or the text itself when it has no word.
func (f freeText) matches(l *reqlog.Log, words []string) bool {
	if len(f.words) == 0 {
		return f.text == "" || contains(l.Index.InputText, f.text) || contains(l.Index.OutputText, f.text)
	}
	return f.all(words, resembles)
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// exactly reports whether every word of the text is among the words.
func (f freeText) exactly(words []string) bool {
	return f.all(words, func(word, token string) bool {
		return word == token || isUnspaced(word) && strings.HasPrefix(token, word)
	})
}

func (f freeText) all(words []string, fits func(word, token string) bool) bool {
	for _, word := range f.words {
		if !slices.ContainsFunc(words, func(token string) bool { return fits(word, token) }) {
			return false
		}
	}
	return true
}

// resembles reports whether a word of a text is what a typed word may mean: it
// starts with it, or both start alike and few edits lie between them. Characters
// of a script without spaces have to be the same.
func resembles(word, token string) bool {
	if strings.HasPrefix(token, word) {
		return true
	}
	if isUnspaced(word) {
		return false
	}
	_, size := utf8.DecodeRuneInString(word)
	if !strings.HasPrefix(token, word[:size]) {
		return false
	}
	w, t := []rune(word), []rune(token)
	if slices.ContainsFunc(w, unicode.IsNumber) {
		return false
	}
	if edits(w, t) <= allowance(len(w)) {
		return true
	}
	if len(w) < 5 {
		return false
	}
	for n := range t {
		if edits(w, t[:n+1]) <= 1 {
			return true
		}
	}
	return false
}

// allowance is how many edits a typed word of a length may be off.
func allowance(length int) int {
	switch {
	case length <= 2:
		return 0
	case length <= 5:
		return 1
	}
	return 2
}

// edits counts how many insertions, deletions, replacements and swaps of
// neighbours turn a into b, up to 3, which stands for all higher numbers.
func edits(a, b []rune) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return 3
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return min(rows[len(a)][len(b)], 3)
}
