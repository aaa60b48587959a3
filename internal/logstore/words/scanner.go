package words

import (
	"encoding/binary"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/ascii"
)

// MaxTerm is how many bytes of a word are kept.
const MaxTerm = 64

// Scanner walks over the words of a text without allocating.
//
// The text is lower-cased rune by rune (unicode.ToLower). A word starts with
// a letter or a number and continues over letters, numbers, combining marks and
// the two apostrophes ' and ’; apostrophes at its end do not belong to it.
// Everything else separates words, as does a combining mark that has no
// letter before it and a byte that is not valid UTF-8.
//
// Scripts that put no spaces between words (see inRun) have words of one or two
// characters instead: each character of a run together with the one behind it,
// and the last one alone. 退款政策 has the words 退款, 款政, 政策 and 策. A
// character is a letter or number with the combining marks behind it. A run
// ends at everything else, also at letters of other scripts.
//
// Of a word longer than 64 bytes only the whole runes within the first 64
// are kept, and Cut reports true.
type Scanner struct {
	text string
	pos  int
	// buf holds the term and, when it was cut, CutMark behind it.
	buf  [MaxTerm + 1]byte
	n    int
	cut  bool
	full bool
	// apostrophes says whether the scanner met an apostrophe in the word.
	apostrophes bool
	// run says that the word is of a run, pair that it has two characters, and
	// tail that it is the second character of the word before.
	run, pair, tail bool
	// sum is the checksum of the term, head its first bytes; see Hash.
	seed, sum, head uint64
}

// Seed sets the seed of the hashes of the words that follow.
func (s *Scanner) Seed(seed uint64) { s.seed = seed }

// Reset makes the scanner start at the beginning of text.
func (s *Scanner) Reset(text string) {
	s.text, s.pos, s.pair = text, 0, false
}

// Next moves to the next word and reports whether there is one.
func (s *Scanner) Next() bool {
	if !s.skip() {
		return false
	}
	s.n, s.cut, s.full, s.apostrophes = 0, false, false, false
	if s.run {
		s.n = s.character()
	} else {
		s.pair, s.tail = false, false
		if s.simple() {
			return true
		}
		s.n = s.word()
	}
	s.sum, s.head = Hash(s.seed, s.buf[:s.n])
	if s.cut {
		s.buf[s.n] = CutMark
	}
	return true
}

// Term returns the word, lower-cased, apostrophes kept. The bytes are good
// until the next call of Next or Reset.
func (s *Scanner) Term() []byte {
	return s.buf[:s.n]
}

// Cut reports whether the word was longer than Term.
func (s *Scanner) Cut() bool {
	return s.cut
}

// Hash returns the hash and the head of the word, as the function Hash does.
func (s *Scanner) Hash() (sum, head uint64) { return s.sum, s.head }

// Apostrophes reports whether Term has any.
func (s *Scanner) Apostrophes() bool { return s.apostrophes }

// Marked returns the term with CutMark behind it when it was cut.
func (s *Scanner) Marked() []byte {
	if s.cut {
		return s.buf[:s.n+1]
	}
	return s.buf[:s.n]
}

// skip moves to the start of a word and reports whether there is one.
func (s *Scanner) skip() bool {
	text, i := s.text, s.pos
	s.run = false
	for i < len(text) {
		c := asciiClass[text[i]]
		if c > lastClass {
			break
		}
		if c == wide {
			r, size := utf8.DecodeRuneInString(text[i:])
			if _, class := Lower(r); class == Letter || class == RunLetter {
				s.run = class == RunLetter
				break
			}
			i += size
			continue
		}
		i++
	}
	s.pos = i
	return i < len(text)
}

// simple does what word does for words of ASCII letters and digits that are
// not too long, eight bytes at a time, and reports whether it was one. It hashes
// on the way.
func (s *Scanner) simple() bool {
	sum, head := s.seed, uint64(0)
	for n := 0; n < MaxTerm; n += 8 {
		next := ascii.At(s.text, s.pos+n)
		size := next.Words().Run()
		next = next.Lower()
		binary.LittleEndian.PutUint64(s.buf[n:], uint64(next))
		lump := next.Prefix(size)
		if n == 0 {
			head = lump << (64 - 8*size)
		}
		if size == 8 {
			sum = mix(sum, lump)
			continue
		}
		s.n = n + size
		s.sum, s.head = mix(sum+uint64(s.n), lump), head
		return s.endWord()
	}
	s.n = MaxTerm
	s.sum, s.head = mix(sum+MaxTerm, 0), head
	return s.endWord()
}

// endWord moves behind a word of which n bytes were read, and reports whether it
// ends there.
func (s *Scanner) endWord() bool {
	end := s.pos + s.n
	if end < len(s.text) && asciiClass[s.text[end]] != Separator {
		return false
	}
	s.pos = end
	return true
}

// word copies the word at pos into buf, moves pos behind it and returns the
// length without the apostrophes at its end.
func (s *Scanner) word() int {
	text, i, n, kept := s.text, s.pos, 0, 0
	for i < len(text) {
		c := asciiClass[text[i]]
		if c > lastClass && n < MaxTerm && !s.full {
			s.buf[n] = c
			i++
			n++
			kept = n
			continue
		}
		r, class, size := rune(c), uint8(Letter), 1
		switch c {
		case Separator:
			s.pos = i
			return kept
		case Apostrophe:
			r, class = '\'', Apostrophe
		case wide:
			r, size = utf8.DecodeRuneInString(text[i:])
			if r, class = Lower(r); class == Separator || class == RunLetter {
				s.pos = i
				return kept
			}
		}
		i += size
		s.n = n
		n = s.put(r, class)
		if class != Apostrophe && !s.full {
			kept = n
		}
	}
	s.pos = i
	return kept
}

// character copies the character at pos and the one behind it, if the run goes
// on, into buf, moves pos to the latter and returns the length.
func (s *Scanner) character() int {
	i, n, count := s.pos, 0, 0
	for i < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[i:])
		r, class := Lower(r)
		if class == RunLetter {
			count++
		}
		if count > 2 || class != RunLetter && class != Mark {
			break
		}
		if count == 2 && class == RunLetter {
			s.pos = i
		}
		s.n = n
		n = s.put(r, class)
		i += size
	}
	if count == 1 {
		s.pos = i
	}
	s.pair, s.tail = count > 1, s.pair && count == 1
	return n
}

// put appends one rune to buf if it fits and returns the new length.
func (s *Scanner) put(r rune, class uint8) int {
	if s.full || s.n+utf8.RuneLen(r) > MaxTerm {
		s.full = true
		s.cut = s.cut || class != Apostrophe
		return s.n
	}
	s.apostrophes = s.apostrophes || class == Apostrophe
	return s.n + utf8.EncodeRune(s.buf[s.n:MaxTerm], r)
}

// Classes of runes, as Lower returns them. In asciiClass a value above lastClass is
// the lower-case letter or digit itself.
const (
	// Separator is no part of a word.
	Separator = iota
	// Apostrophe is inside a word only.
	Apostrophe
	wide // first byte of a rune beyond ASCII
	// Letter is a letter or a number of a script with spaces between words.
	Letter
	// Mark is a combining mark: it continues with a word and never starts one.
	Mark
	// RunLetter is a letter or a number of a script without spaces.
	RunLetter
	lastClass
)

var asciiClass = func() (table [256]byte) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = wide
		case c == '\'':
			table[c] = Apostrophe
		case unicode.IsLetter(rune(c)) || unicode.IsNumber(rune(c)):
			table[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return table
}()

// Lower returns the lower-case form of r and the class of that form.
func Lower(r rune) (rune, uint8) {
	if r < 1<<16 {
		table := basicPlane()
		return rune(table.lower[r]), table.class[r]
	}
	r = unicode.ToLower(r)
	return r, classOf(r)
}

func classOf(r rune) uint8 {
	switch {
	case r == '\'' || r == '’':
		return Apostrophe
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		if inRun(r) {
			return RunLetter
		}
		return Letter
	case unicode.IsMark(r):
		return Mark
	}
	return Separator
}

// runScripts are the scripts that put no spaces between words, or not between
// all. Korean does, but joins words with particles and to compounds.
var runScripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// inRun reports whether a letter or number is of a script without spaces. The
// signs for long vowels and voiced sounds belong to two of them, so that Unicode
// counts them to none.
func inRun(r rune) bool {
	switch r {
	case 'ー', 'ｰ', 'ﾞ', 'ﾟ', '〆':
		return true
	}
	return r >= firstRun && unicode.In(r, runScripts...)
}

// firstRun is the first rune of all runScripts.
const firstRun = 'ก'

// planeTable spares the binary searches of package unicode, which would cost
// more than all the rest for texts that are not English.
type planeTable struct {
	lower [1 << 16]uint16
	class [1 << 16]uint8
}

var basicPlane = sync.OnceValue(func() *planeTable {
	table := new(planeTable)
	for r := range rune(1 << 16) {
		lower := unicode.ToLower(r)
		table.lower[r] = uint16(lower)
		table.class[r] = classOf(lower)
	}
	return table
})
