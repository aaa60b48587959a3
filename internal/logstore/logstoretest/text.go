package logstoretest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

func testFreeText(s *suite) {
	for _, text := range []string{
		"", " \n", "refund", "REFUND", "refu", "refnud", "refudn", "rfund", "efund", "order refund", "refund order", "refund refund",
		"hipopot", "hippopotamus", "hippopotamuss", "hippopatamus", "border", "weather", "whether", "canceled", "cancelled",
		"don't", "dont", "don’t", "it's", "its", "o'brien", "obrien", "O’B", "café", "cafe", "CAFÉ", "naïve", "straße", "STRASSE", "STRAßE",
		"ΣΊΣΥΦΟΣ", "σίσυφος", "istanbul", "İSTANBUL", "日本語", "日", "本", "テスト", "スト", "退款", "退", "款政", "退款政策", "政策退货", "退汤", "么", "模型", "用GPT", "使用gpt4模型", "コヒ", "コーヒー", "ー", "환불", "원해요", "กิน", "ข้าว", "ข", "\u0e49าว", "ทีนี", "привет", "ПРИВЕТ", "42", "4", "1234", "1236", "12", "gpt4", "gpt", "gtp4",
		"x9", "a", "an", "snake_case", "snake case", "kebab-case", "foo.bar", "c++", "{}", "[]", "}", "100%", "%", `\`, `a\b`, "½", "x²", "x2",
		"[system]", "[user]:", "system", "tool_calls function name", "answer: ", "score 3", "only 3", "\x00", "a\x00b", "'", "''", "\"", "😀", "e\u0301", "\u0301",
		"nothing has this", "refund nothinghasthis", "-- '; DROP", "?", "…", "  refund  ", "not json", "thethe", "T H E",
	} {
		s.selects(home(nil, text))
		s.selects(query.Query{Workspace: Away, Text: text})
	}
}

// testFreeTextRules checks the rules on texts of its own, so that they do not
// depend on the naive store alone.
func testFreeTextRules(s *suite) {
	found := func(text string) int { return len(ids(s, s.Store, home(nil, text))) }
	all := found("")
	for _, test := range []struct {
		name, text string
		some       bool
	}{
		{"a beginning", "refu", true}, {"two letters swapped", "refnud", true}, {"another case", "HIPPOPOTAMUS", true},
		{"a beginning with a typo", "hipopot", true}, {"words in any order", "order refund", true}, {"an apostrophe more", "orde'r", true},
		{"one word too much", "refund zzzzzz", false}, {"a number off by one", "1236", false}, {"a middle", "potamus", false},
		{"another first letter", "tefund", false}, {"nothing but signs", "{}", true}, {"signs that are nowhere", "}{}{", false},
		{"inside of Chinese", "退款", true}, {"a part across words", "问退", true}, {"one character", "策", true}, {"a run and a typo", "退款政治", false},
		{"inside of Japanese", "ヒー", true}, {"inside of Korean", "원해", true}, {"inside of Thai", "ข้าว", true}, {"a run beside letters", "用gpt4", true},
		{"a role", "assistant", false}, {"a role with its sign", "[user]:", false}, {"much like a role", "used", false},
	} {
		if n := found(test.text); (n > 0) != test.some || n == all {
			s.t.Errorf("%s: %q finds %d logs of %d", test.name, test.text, n, all)
		}
	}
	if n := found(" \t"); n != all {
		s.t.Errorf("blank text finds %d logs of %d", n, all)
	}
}

// testFirstTexts checks that the text of a chat begins with its first message
// and ends with its last one. It reads the messages itself.
func testFirstTexts(s *suite) {
	checked := 0
	for _, l := range s.want.in(Home) {
		said := texts(l.Input)
		if len(said) == 0 || checked == 60 {
			continue
		}
		checked++
		for op, text := range map[query.Op]string{query.OpStartsWith: said[0], query.OpContains: strings.Join(said, "\n\n")} {
			q := home(query.Cond{Field: query.FieldInputText, Op: op, Texts: []string{text}}, "")
			if !slices.Contains(ids(s, s.Store, q), strconv.FormatInt(l.ID, 10)) {
				s.t.Errorf("input_text %s %q does not find log %d", op, text, l.ID)
			}
		}
	}
	if checked < 60 {
		s.t.Errorf("only %d logs have messages with text alone: the test proves nothing", checked)
	}
}

// texts returns the texts of a chat whose messages consist of one text each, nil
// for any other input.
func texts(input json.RawMessage) (all []string) {
	var chat struct {
		Messages []struct {
			Content []struct{ Text string }
			Calls   []any `json:"tool_calls"`
		}
	}
	if json.Unmarshal(input, &chat) != nil {
		return nil
	}
	for _, m := range chat.Messages {
		if len(m.Content) != 1 || m.Content[0].Text == "" || len(m.Calls) > 0 {
			return nil
		}
		all = append(all, m.Content[0].Text)
	}
	return all
}

// testExactFirst checks the default order of a search for text, and that a
// requested order is not touched by it.
func testExactFirst(s *suite) {
	for _, text := range []string{"refund", "refunds", "order refund", "the", "hipopot", "42", "{}", "cafe"} {
		q := home(nil, text)
		s.finds(query.SearchQuery{Query: q, Page: 1, PerPage: 30})
		s.finds(query.SearchQuery{Query: q, Page: 3, PerPage: 10})
		s.finds(query.SearchQuery{Query: q, SortBy: query.FieldStart, Page: 1, PerPage: 10})
	}
}

// testTextAndTimes checks free text together with bounds of the start time, which
// engines may answer in another way than other conditions.
func testTextAndTimes(s *suite) {
	logs := s.want.in(Home)
	starts := make([]reqlog.Micros, len(logs))
	for i, l := range logs {
		starts[i] = l.Start
	}
	slices.Sort(starts)
	low, middle, high := starts[len(starts)/4], starts[len(starts)/2], starts[len(starts)*3/4]
	start := func(op query.Op, times ...reqlog.Micros) query.Cond {
		return query.Cond{Field: query.FieldStart, Op: op, Times: times}
	}
	both := query.Group{Nodes: []query.Node{start(query.OpAfter, low), start(query.OpBefore, high)}}
	for _, filter := range []query.Node{
		query.Group{}, start(query.OpIs, middle), start(query.OpAfter, middle), start(query.OpBefore, middle), start(query.OpBetween, low, middle),
		start(query.OpBetween, middle, middle), start(query.OpAfter, starts[len(starts)-1]), start(query.OpBefore, starts[0]), both,
		query.Group{Nodes: []query.Node{both, start(query.OpAfter, middle)}},
		query.Group{Any: true, Nodes: []query.Node{both}},
		query.Group{Any: true, Nodes: []query.Node{start(query.OpBefore, low), start(query.OpAfter, high)}},
		query.Group{Nodes: []query.Node{both, query.Cond{Field: query.FieldEnd, Op: query.OpAfter, Times: []reqlog.Micros{middle}}}},
	} {
		for _, text := range []string{"refund", "the", "{}", "hipopot"} {
			s.selects(home(filter, text))
			s.finds(query.SearchQuery{Query: home(filter, text), Page: 1, PerPage: 10})
			s.finds(query.SearchQuery{Query: home(filter, text), Page: 2, PerPage: 3})
		}
	}
}

func testRandomFreeText(s *suite) {
	g := newGenerator(s.want.in(Home), 6)
	for i := range 120 {
		text := g.text()
		s.selects(home(nil, text))
		if i%10 == 0 {
			s.finds(query.SearchQuery{Query: home(nil, text), Page: 1, PerPage: 6})
		}
		if s.t.Failed() {
			s.t.Fatalf("random text %d: %q", i, text)
		}
	}
}
