package ascii

import (
	"strings"
	"testing"
)

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// TestWords puts every byte into every place, between bytes of either kind.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, around := range []byte{0, '/', '0', '9', ':', '@', 'A', 'Z', '[', '`', 'a', 'z', '{', 0x7f, 0x80, 0xb0, 0xe1, 0xff} {
		for place := range 8 {
			for c := range 256 {
				text := []byte(strings.Repeat(string([]byte{around}), 8))
				text[place] = byte(c)
				words := At(string(text), 0).Words()
				for i := range 8 {
					if marked := words>>(8*i)&0xff == 0x80; marked != isWord(text[i]) {
						t.Fatalf("%q: byte %d marked: %t", text, i, marked)
					}
				}
				if words&^highs != 0 {
					t.Fatalf("%q: other bits in %x", text, words)
				}
			}
		}
	}
}

func TestLower(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		if !isWord(byte(c)) {
			continue
		}
		want := strings.ToLower(string(rune(c)))[0]
		if got := byte(At(string([]byte{byte(c)}), 0).Lower()); got != want {
			t.Errorf("%q becomes %q", rune(c), got)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint64{"": 0, "a": 'a', "ab": 'a' | 'b'<<8, "12345678": 0x3837363534333231, "123456789": 0x3837363534333231} {
		if got := At(text, 0); uint64(got) != want {
			t.Errorf("%q: %x", text, got)
		}
	}
	if got := At("abc", 3); got != 0 {
		t.Errorf("behind the end: %x", got)
	}
	if got := At("abcdefgh", 0).Prefix(3); got != 'a'<<16|'b'<<8|'c' {
		t.Errorf("prefix of three: %x", got)
	}
	if got := At("abcdefgh", 0).Prefix(0); got != 0 {
		t.Errorf("prefix of none: %x", got)
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	words := At("ab cd-ef", 0).Words()
	var starts []int
	for m := words.Starts(0); m != 0; m = m.Rest() {
		starts = append(starts, m.First())
	}
	if len(starts) != 3 || starts[0] != 0 || starts[1] != 3 || starts[2] != 6 {
		t.Errorf("starts %v", starts)
	}
	if first := words.Starts(words).First(); first != 3 {
		t.Errorf("the word that goes on starts at %d", first)
	}
	for text, want := range map[string]int{"": 0, " a": 0, "abc d": 3, "abcdefgh": 8} {
		if got := At(text, 0).Words().Run(); got != want {
			t.Errorf("%q starts with %d bytes of a word", text, got)
		}
	}
	if got := Mask(0).First(); got != 8 {
		t.Errorf("first of none: %d", got)
	}
}
