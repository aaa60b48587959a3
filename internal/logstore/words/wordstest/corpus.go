package wordstest

import (
	"math/rand/v2"
	"strings"
)

// Corpus makes random texts out of few words, so that they have much in
// common and differ by little.
type Corpus struct {
	Rand *rand.Rand
	// Words are those that it makes texts of.
	Words []string
}

// Odd are words that are hard to get right.
var Odd = []string{
	"don't", "don’t", "dont", "'tis", "dogs'", "rock'n'roll", "o''neill", "it's",
	"İstanbul", "istanbul", "STRASSE", "straße", "STRAẞE", "\u212Aelvin", "kelvin", "Ångström",
	"e\u0301te", "\u0301b", "été", "naïve", "Привет", "привет", "日本語", "日本", "ǅ", "ß",
	"x1", "x12", "42", "4242", "½", "Ⅷ", "gpt-4o", "user_id", "a.b.c", "[user]:", "foo/bar", "{}",
	"\xff", "a\xffb", "\u2764\ufe0f", "🙂", "é’s", "a'\u0301c", "’", "''",
	"请问退款政策是什么", "退款", "使用GPT-4模型", "コーヒー", "か\u3099き", "ｶﾞｽ", "한국어를", "กินข้าว", "ที่นี่", "日'本", "本\u0301x", "x'日", "𠀀𠀁",
	"ก" + strings.Repeat("\u0e49", 30) + "ข", strings.Repeat("日", 40),
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 65),
	strings.Repeat("a", 64) + "b", strings.Repeat("a", 63) + "'b", strings.Repeat("a", 63) + "é",
	strings.Repeat("a", 64) + "'", strings.Repeat("é", 40), "z" + strings.Repeat("日", 21) + "x",
}

// NewCorpus returns a corpus, the same one for each seed.
func NewCorpus(seed uint64) *Corpus {
	c := &Corpus{Rand: rand.New(rand.NewPCG(seed, 1))}
	for range 60 {
		c.Words = append(c.Words, c.word())
	}
	for range 30 {
		c.Words = append(c.Words, c.run(1+c.Rand.IntN(7)))
	}
	for range 80 {
		c.Words = append(c.Words, c.Edit(c.Words[c.Rand.IntN(len(c.Words))]))
	}
	c.Words = append(c.Words, Odd...)
	return c
}

// word makes a word from a small alphabet.
func (c *Corpus) word() string {
	const letters = "abcdé1"
	var b strings.Builder
	for range 1 + c.Rand.IntN(9) {
		b.WriteRune([]rune(letters)[min(c.Rand.IntN(9), 5)%6])
	}
	return b.String()
}

// run makes a text of a script without spaces from a small alphabet, some of it
// with marks and with other letters in between.
func (c *Corpus) run(length int) string {
	letters := []rune("退款政策日本ーก้ข\u0e35한국x")
	var b strings.Builder
	for range length {
		b.WriteRune(letters[c.Rand.IntN(len(letters))])
	}
	return b.String()
}

// Edit changes a word a little.
func (c *Corpus) Edit(word string) string {
	runes := []rune(word)
	for range 1 + c.Rand.IntN(3) {
		if len(runes) == 0 {
			break
		}
		i := c.Rand.IntN(len(runes))
		switch c.Rand.IntN(5) {
		case 0:
			runes = append(runes[:i], runes[i+1:]...)
		case 1:
			runes = append(runes[:i+1], runes[i:]...)
		case 2:
			runes[i] = []rune("abcdeéXyz")[c.Rand.IntN(9)]
		case 3:
			j := min(i+1, len(runes)-1)
			runes[i], runes[j] = runes[j], runes[i]
		case 4:
			runes = append(runes, []rune("ation")[:1+c.Rand.IntN(5)]...)
		}
	}
	return string(runes)
}

// Text makes a text of some words.
func (c *Corpus) Text() string {
	var b strings.Builder
	for range c.Rand.IntN(12) {
		word := c.Words[c.Rand.IntN(len(c.Words))]
		if c.Rand.IntN(6) == 0 {
			word = strings.ToUpper(word)
		}
		b.WriteString(word)
		b.WriteString([]string{" ", " ", " ", ", ", "-", "'", "\n", ""}[c.Rand.IntN(8)])
	}
	return b.String()
}

// Query makes a query out of words of the corpus and misspellings of them.
func (c *Corpus) Query() string {
	var words []string
	for range 1 + c.Rand.IntN(2) {
		word := c.Words[c.Rand.IntN(len(c.Words))]
		if runes := []rune(word); c.Rand.IntN(3) == 0 && len(runes) > 1 {
			word = string(runes[:1+c.Rand.IntN(len(runes))])
		}
		if c.Rand.IntN(2) == 0 {
			word = c.Edit(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// Value makes a substring of a text, or something that might be one.
func (c *Corpus) Value() string {
	runes := []rune(c.Text())
	if len(runes) == 0 {
		return "a"
	}
	from := c.Rand.IntN(len(runes))
	to := from + 1 + c.Rand.IntN(min(len(runes)-from, 1+c.Rand.IntN(90)))
	return string(runes[from:to])
}
