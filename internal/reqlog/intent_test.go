package reqlog

import (
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
