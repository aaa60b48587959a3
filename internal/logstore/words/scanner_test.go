package words

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

func TestScanner(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	cases := []struct {
		name, text string
		want       []string // a cut term ends in …
	}{
		{"nothing", "", nil},
		{"separators", " ,.-_[]{}", nil},
		{"words", "The quick, brown fox!", []string{"the", "quick", "brown", "fox"}},
		{"digits", "v2 2.5 ½ Ⅷ", []string{"v2", "2", "5", "½", "ⅷ"}},
		{"underscore separates", "user_id", []string{"user", "id"}},
		{"inner apostrophes", "don't rock'n'roll o''neill", []string{"don't", "rock'n'roll", "o''neill"}},
		{"outer apostrophes", "'tis the dogs' ''x'' ' ’", []string{"tis", "the", "dogs", "x"}},
		{"curly apostrophe is kept", "Don’t", []string{"don’t"}},
		{"case", "ÄÖÜ ПРИВЕТ İ \u212A ẞ", []string{"äöü", "привет", "i", "k", "ß"}},
		{"marks go on with a word", "e\u0301te\u0301", []string{"e\u0301te\u0301"}},
		{"marks do not start one", "\u0301b \u2764\ufe0f", []string{"b"}},
		{"invalid bytes separate", "a\xffb", []string{"a", "b"}},
		{"beyond the basic plane", "𝒳y 🙂 𐐀", []string{"𝒳y", "𐐨"}},
		{"Chinese", "请问退款。好", []string{"请问", "问退", "退款", "款", "好"}},
		{"Japanese", "コーヒーを飲む", []string{"コー", "ーヒ", "ヒー", "ーを", "を飲", "飲む", "む"}},
		{"half-width", "ｶﾞｽ", []string{"ｶﾞ", "ﾞｽ", "ｽ"}},
		{"Korean", "환불을 원해", []string{"환불", "불을", "을", "원해", "해"}},
		{"Thai with marks", "ที่นี่", []string{"ที่นี่", "นี่"}},
		{"other letters end a run", "使用GPT-4模型x日", []string{"使用", "用", "gpt", "4", "模型", "型", "x", "日"}},
		{"apostrophes end a run", "日'本's", []string{"日", "本", "s"}},
		{"beyond the basic plane in a run", "𠀀𠀁", []string{"𠀀𠀁", "𠀁"}},
		{"many marks are cut", "ก" + strings.Repeat("\u0e49", 30) + "ข", []string{"ก" + strings.Repeat("\u0e49", 20) + "…", "ข"}},
		{"just fits", long, []string{long}},
		{"just fits, then apostrophe", long + "' b", []string{long, "b"}},
		{"cut", long + "b c", []string{long + "…", "c"}},
		{"cut after apostrophe", long[:63] + "'bc", []string{long[:63] + "…"}},
		{"cut between runes", long[:63] + "éa", []string{long[:63] + "…"}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, scan(tc.text)); diff != "" {
				t.Errorf("terms (-want +got):\n%s", diff)
			}
		})
	}
}

func scan(text string) []string {
	var terms []string
	var s Scanner
	s.Reset(text)
	for s.Next() {
		term := string(s.Term())
		if s.Cut() {
			term += "…"
		}
		terms = append(terms, term)
	}
	return terms
}

func TestScannerAgainstNaive(t *testing.T) {
	t.Parallel()
	c := wordstest.NewCorpus(11)
	for range 5000 {
		checkTokens(t, c.Text())
	}
}

// checkTokens compares the scanner with the naive tokens, and its hash with
// that of the finished term.
func checkTokens(t *testing.T, text string) {
	t.Helper()
	var s Scanner
	s.Reset(text)
	for i, want := range wordstest.Tokens(text) {
		if !s.Next() || string(s.Term()) != want.Raw || s.Cut() != want.Cut {
			t.Fatalf("word %d of %q is %q, want %q", i, text, s.Term(), want.Raw)
		}
		if sum, head := Hash(0, s.Term()); sum != s.sum || head != s.head {
			t.Fatalf("hash of word %d of %q is wrong", i, text)
		}
		if got := string(Fold(nil, s.Term())); got != want.Text {
			t.Fatalf("word %d of %q without apostrophes is %q, want %q", i, text, got, want.Text)
		}
	}
	if s.Next() {
		t.Fatalf("%q has another word %q", text, s.Term())
	}
}

func TestScannerDoesNotAllocate(t *testing.T) {
	text := strings.Join(wordstest.Odd, " ")
	var s Scanner
	if n := testing.AllocsPerRun(10, func() {
		s.Reset(text)
		for s.Next() {
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	want := []string{"dont", "panic"}
	if diff := cmp.Diff(want, parsed("Don't PANIC, don’t panic")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	want = []string{"退款", "款政", "好", "退"}
	if diff := cmp.Diff(want, parsed("退款政 好 退款 退")); diff != "" {
		t.Errorf("words of runs (-want +got):\n%s", diff)
	}
}

func parsed(query string) (texts []string) {
	for _, w := range Parse(query) {
		texts = append(texts, string(w.Text))
	}
	return texts
}

func FuzzTokens(f *testing.F) {
	for _, word := range wordstest.Odd {
		f.Add(word)
	}
	f.Add(strings.Join(wordstest.Odd, "'"))
	f.Fuzz(checkTokens)
}
