package reqlog

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUserIntents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                  nil,
		"Ship it on Monday.":                nil,
		"This is FRUSTRATING":               {"frustrated"},
		"stop it!!":                         {"frustrated"},
		"one! two!":                         nil,
		"The login doesn't work":            {"frustrated"},
		"The login doesn’t work":            {"frustrated"},
		"it is still broken":                {"frustrated"},
		"such a waste of time":              {"frustrated"},
		"Thanks":                            {"satisfied"},
		"“Great”":                           {"satisfied"},
		"—perfect":                          {"satisfied"},
		"it works now":                      {"satisfied"},
		"imperfect":                         nil,
		"Is it there":                       {"curious"},
		"Island hopping":                    nil,
		"what's up":                         {"curious"},
		" \n HOW to":                        {"curious"},
		"whereas":                           nil,
		"whatever":                          nil,
		"tell me more ?  ":                  {"curious"},
		"? not at the end":                  nil,
		"Thank you, but why is it useless?": {"frustrated", "satisfied", "curious"},
		"not  working":                      nil,
		"not working":                       {"frustrated"},
		"\xff\xfe thank":                    {"satisfied"},
	} {
		if diff := cmp.Diff(want, userIntents(text)); diff != "" {
			t.Errorf("userIntents(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestAgentIntents(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                          nil,
		"Done.":                     nil,
		"I'm SORRY":                 {"apologetic"},
		"My apologies":              {"apologetic"},
		"I can't":                   {"refusal"},
		"I can’t do that":           {"refusal"},
		"Fiji cannot":               nil,
		"Sadly,I cannot":            {"refusal"},
		"you are not allowed":       {"refusal"},
		"I don't know":              {"uncertain"},
		"It’s unclear":              {"uncertain"},
		"i don'":                    nil,
		"Sorry, perhaps I won't do": {"apologetic", "refusal", "uncertain"},
	} {
		if diff := cmp.Diff(want, agentIntents(text)); diff != "" {
			t.Errorf("agentIntents(%q) (-want +got):\n%s", text, diff)
		}
	}
}

// TestPhrasesAnywhere compares texts of phrases, parts of them and other characters with
// regular expressions.
func TestPhrasesAnywhere(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, book := range map[string]*phrasebook{"user": userPhrases, "agent": agentPhrases} {
		patterns := map[uint8]*regexp.Regexp{}
		var parts []string
		for bit, texts := range phrasesOf(book) {
			var alternatives []string
			for _, text := range texts {
				pattern := strings.ReplaceAll(regexp.QuoteMeta(text), "'", "['’]")
				if isWordByte[text[0]] {
					pattern = "(?:^|[^a-z0-9])" + pattern
				}
				alternatives = append(alternatives, pattern)
				parts = append(parts, text, strings.ToUpper(text), strings.ReplaceAll(text, "'", "’"), text[:len(text)/2], text[1:])
			}
			patterns[bit] = regexp.MustCompile("(?s)" + strings.Join(alternatives, "|"))
		}
		parts = append(parts, " ", " ", "-", "é", "x", "7", "\xff", "\n", "’", "!", "the ")
		for range 20_000 {
			var text strings.Builder
			for range random.IntN(8) {
				text.WriteString(parts[random.IntN(len(parts))])
			}
			var want uint8
			for bit, pattern := range patterns {
				if pattern.MatchString(asciiLower(text.String())) {
					want |= bit
				}
			}
			if diff := cmp.Diff(book.names(want), book.find(text.String())); diff != "" {
				t.Fatalf("%s phrases of %q (-want +got):\n%s", name, text.String(), diff)
			}
		}
	}
}

func phrasesOf(book *phrasebook) map[uint8][]string {
	texts := map[uint8][]string{}
	for _, phrases := range append(book.starting[:], book.others) {
		for _, p := range phrases {
			texts[p.intent] = append(texts[p.intent], p.text)
		}
	}
	return texts
}

func asciiLower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}
