package textindex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

func TestMatchAgainstNaive(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		ix, c, docs := builtIndex(t, seed, 800)
		for i := range 120 {
			if i == 60 {
				if err := ix.Flush(); err != nil {
					t.Fatal(err)
				}
				ix.settle()
			}
			checkMatch(t, ix, docs, c.Query())
		}
	}
}

// checkMatch compares the answers of the index with the naive ones.
func checkMatch(t *testing.T, ix *Index, docs []document, q string) {
	t.Helper()
	query := newNaiveQuery(q)
	for _, fields := range [][]int{{0, 1}, {2}} {
		all, exact, ok := ix.Match(q, fields...)
		if ok != (len(query.words) > 0) {
			t.Fatalf("Match(%q) ok = %v", q, ok)
		}
		if !ok {
			return
		}
		var wantAll, wantExact int
		for _, d := range docs {
			match, same := query.match(d, fields)
			if got := all.Has(d.id); got != match {
				t.Fatalf("Match(%q, %v): %s matched = %v, want %v", q, fields, describe(d), got, match)
			}
			if got := exact.Has(d.id); got != same {
				t.Fatalf("Match(%q, %v): %s exact = %v, want %v", q, fields, describe(d), got, same)
			}
			wantAll += count(match)
			wantExact += count(same)
		}
		if got := all.Count(); got != wantAll {
			t.Fatalf("Match(%q, %v) has %d documents, want %d", q, fields, got, wantAll)
		}
		if got := exact.Count(); got != wantExact {
			t.Fatalf("Match(%q, %v) has %d exact documents, want %d", q, fields, got, wantExact)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestMatchExamples(t *testing.T) {
	t.Parallel()
	texts := []string{
		1:  "The hippopotamus isn't here",
		2:  "request 1234 failed",
		3:  "request 1235 failed",
		4:  "Don’t panic",
		5:  "dont panic, receive",
		6:  "cat",
		7:  "请问退款政策是什么",
		8:  "使用GPT-4模型退货",
		9:  "อยากกินข้าวที่นี่",
		10: "자동환불을 원해요 퇴사",
	}
	cases := []struct {
		name, q    string
		all, exact []int64
	}{
		{"equal", "panic", []int64{4, 5}, []int64{4, 5}},
		{"prefix", "hipp", []int64{1}, nil},
		{"fuzzy prefix", "hipopot", []int64{1}, nil},
		{"swapped letters", "recieve", []int64{5}, nil},
		{"apostrophes do not matter", "don't", []int64{4, 5}, []int64{4, 5}},
		{"apostrophe left out", "isnt", []int64{1}, []int64{1}},
		{"numbers are not fuzzy", "1234", []int64{2}, []int64{2}},
		{"short words are not fuzzy", "cb", nil, nil},
		{"one edit for three letters", "cot", []int64{6}, nil},
		{"other first letter", "bat", nil, nil},
		{"all words must match", "request panic", nil, nil},
		{"partly exact", "requst 1235", []int64{3}, nil},
		{"case", "CAT", []int64{6}, []int64{6}},
		{"inside of a run", "退款", []int64{7}, []int64{7}},
		{"a whole run", "请问退款政策是什么", []int64{7}, []int64{7}},
		{"one character", "退", []int64{7, 8}, []int64{7, 8}},
		{"the last character", "么", []int64{7}, []int64{7}},
		{"another second character", "退汤", nil, nil},
		{"swapped characters", "款退", nil, nil},
		{"a run with a wrong character", "退款政治", nil, nil},
		{"across scripts", "用gpt", []int64{8}, []int64{8}},
		{"a word between runs", "gtp", []int64{8}, nil},
		{"Thai", "กินข้าว", []int64{9}, []int64{9}},
		{"Thai without the last mark", "กินข", []int64{9}, []int64{9}},
		{"Thai from a mark on", "\u0e49าว", []int64{9}, []int64{9}},
		{"Korean in a compound", "환불", []int64{10}, []int64{10}},
		{"Korean has no typos", "환물", nil, nil},
		{"same word twice", "cat cat", []int64{6}, []int64{6}},
	}
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 2})
	for id, text := range texts {
		if err := ix.Add(doc(int64(id)), []string{text}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			all, exact, ok := ix.Match(tc.q)
			if !ok {
				t.Fatal("no words")
			}
			if diff := cmp.Diff(tc.all, all.IDs(-1)); diff != "" {
				t.Errorf("all (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.exact, exact.IDs(-1)); diff != "" {
				t.Errorf("exact (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMatchWithoutWords(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{})
	for _, q := range []string{"", "  ", "{}", "'", "…", "\u0301"} {
		if _, _, ok := ix.Match(q); ok {
			t.Errorf("Match(%q) is ok", q)
		}
	}
}

func TestMatchIgnoresWordsBeyondTheCap(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{})
	var text []byte
	for i := range words.MaxWords {
		text = append(text, 'w', byte('a'+i/26), byte('a'+i%26), ' ')
	}
	if err := ix.Add(doc(1), []string{string(text)}); err != nil {
		t.Fatal(err)
	}
	_, exact, _ := ix.Match(string(text) + "missing")
	if !exact.Has(1) {
		t.Error("words beyond the cap were not ignored")
	}
}
