package textindex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

// runTexts are texts without spaces in each of the languages.
var runTexts = []string{
	"请问退款政策是什么我想知道多久能到账", "コーヒーを二杯ください返金ポリシーは何ですか", "환불정책을알려주세요자동결제취소",
	"ฉันอยากขอคืนเงินที่นี่กินข้าวหรือยัง", "ຂ້ອຍຢາກຂໍເງິນຄືນ", "ខ្ញុំចង់បានប្រាក់វិញ", "ငွေပြန်အမ်းလိုချင်ပါတယ်",
}

// TestEveryPartOfARunIsFound takes every part of every run, from any rune to any
// rune, and expects its text to be found by it.
func TestEveryPartOfARunIsFound(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 3})
	for id, text := range runTexts {
		addAll(t, ix, []document{newDocument(int64(id), "before "+text+", after")})
	}
	for id, text := range runTexts {
		runes := []rune(text)
		for from := range runes {
			for to := from + 1; to <= len(runes); to++ {
				part := string(runes[from:to])
				if all, exact, ok := ix.Match(part); ok && (!all.Has(int64(id)) || !exact.Has(int64(id))) {
					t.Errorf("Match(%q) does not find %q", part, text)
				} else if ok != (len(wordstest.Tokens(part)) > 0) {
					t.Errorf("Match(%q) ok = %v", part, ok)
				}
				if sure, maybe := ix.Contains(0, part); !sure.Has(int64(id)) && !maybe.Has(int64(id)) {
					t.Errorf("Contains(%q) does not find %q", part, text)
				}
			}
		}
	}
}

// TestPairsProve expects the index to answer for one and two characters of a
// run without a look at the texts.
func TestPairsProve(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 2})
	for id, text := range []string{"请问退款政策", "政策退货", "款退", "refund"} {
		addAll(t, ix, []document{newDocument(int64(id), text)})
	}
	for _, tc := range []struct{ value, sure, maybe string }{
		{"退款", "[0]", "[]"}, {"退", "[0 1 2]", "[]"}, {"策", "[0 1]", "[]"}, {"策退", "[1]", "[]"},
		{"退款政", "[]", "[0]"}, {"退政", "[]", "[]"}, {" 退款", "[]", "[0]"}, {"策。", "[]", "[0]"},
	} {
		sure, maybe := ix.Contains(0, tc.value)
		if got := fmt.Sprint(sure.IDs(-1)); got != tc.sure {
			t.Errorf("Contains(%q): %s are sure, want %s", tc.value, got, tc.sure)
		}
		if got := fmt.Sprint(maybe.IDs(-1)); got != tc.maybe {
			t.Errorf("Contains(%q): %s may be, want %s", tc.value, got, tc.maybe)
		}
	}
}

// TestLargeRuns adds texts of a megabyte without a space, and queries as large.
func TestLargeRuns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	varied := make([]rune, 350_000)
	for i := range varied {
		varied[i] = 0x4e00 + r.Int32N(20_000)
	}
	texts := []string{
		string(varied), strings.Repeat("日", 350_000), "ก" + strings.Repeat("\u0e49", 350_000) + "ข",
		strings.Repeat("ก\u0e49", 170_000), strings.Repeat("日x", 250_000), strings.Repeat("日'", 250_000),
	}
	ix := openIndex(t, t.TempDir(), Options{})
	for id, text := range texts {
		if err := ix.Add(doc(int64(id)), []string{text}); err != nil {
			t.Fatal(err)
		}
	}
	check := func() {
		for id, text := range texts {
			if all, _, ok := ix.Match(text); !ok || !all.Has(int64(id)) {
				t.Errorf("text %d does not match itself", id)
			}
			if sure, maybe := ix.Contains(0, text); !sure.Has(int64(id)) && !maybe.Has(int64(id)) {
				t.Errorf("text %d does not contain itself", id)
			}
		}
	}
	check()
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	check()
	if size, limit := ix.Stats().DiskBytes, int64(8<<20); size > limit {
		t.Errorf("the index takes %d bytes for %d texts of a megabyte, more than %d", size, len(texts), limit)
	}
}
