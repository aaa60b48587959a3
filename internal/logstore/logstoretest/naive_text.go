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
	return freeText{text: text, words: tokens(text)}
}

// tokens splits a text into lower-case words. Apostrophes vanish; marks that
// change the letter before them stay with it; all else separates.
func tokens(text string) []string {
	var words []string
	var word []rune
	for _, r := range strings.ToLower(text) + " " {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) && len(word) > 0:
			word = append(word, r)
		case r == '\'' || r == '’':
		default:
			if len(word) > 0 {
				words = append(words, string(word))
			}
			word = nil
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
	return f.all(words, func(word, token string) bool { return word == token })
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
// starts with it, or both start alike and few edits lie between them.
func resembles(word, token string) bool {
	if strings.HasPrefix(token, word) {
		return true
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
