package reqlog

import (
	"strings"

	"github.com/promptuary/promptuary/internal/ascii"
)

// phrase indicates an intent: in lower case, with ' for every apostrophe. One that does
// not begin with a letter or a digit has neither.
type phrase struct {
	text   string
	intent uint8 // the bit of its intent
}

// phrasebook finds phrases in one pass over a text. Most words are no beginning of a
// phrase, which their first bytes show.
type phrasebook struct {
	intents []string
	// starting has the phrases that begin with a letter or a digit by their first byte,
	// and others those that do not.
	starting [256][]phrase
	others   []phrase
	// openings marks what phrases in starting begin with, by opening.
	openings [1 << openingBits]bool
}

// openingBytes is how many bytes of a word are looked at before comparing it.
const (
	openingBytes = 3
	openingBits  = 12
)

// opening returns a hash of the first bytes of a text, in either case.
func opening(text ascii.Bytes) uint32 {
	return uint32(text.Lower().Prefix(openingBytes)) * 0x9e3779b1 >> (32 - openingBits)
}

// sign is an intent and its phrases.
type sign struct {
	intent  string
	phrases []string
}

func newPhrasebook(signs ...sign) *phrasebook {
	book := &phrasebook{}
	for i, s := range signs {
		book.intents = append(book.intents, s.intent)
		for _, text := range s.phrases {
			book.add(phrase{text, 1 << i})
		}
	}
	return book
}

func (b *phrasebook) add(p phrase) {
	first := p.text[0]
	if !isWordByte[first] {
		b.others = append(b.others, p)
		return
	}
	b.starting[first] = append(b.starting[first], p)
	for _, written := range []string{p.text, strings.ReplaceAll(p.text, "'", apostrophe)} {
		b.openings[opening(ascii.At(written, 0))] = true
	}
}

var (
	userPhrases = newPhrasebook(
		sign{"frustrated", []string{
			"frustrat", "annoy", "terrible", "useless", "ridiculous", "not working", "doesn't work",
			"still broken", "waste of time", "!!",
		}},
		sign{"satisfied", []string{
			"thank", "great", "perfect", "awesome", "love it", "works now", "excellent",
		}},
	)
	agentPhrases = newPhrasebook(
		sign{"apologetic", []string{"sorry", "apolog", "my mistake"}},
		sign{"refusal", []string{
			"i can't", "i cannot", "i won't", "unable to", "not able to", "i must decline", "not allowed",
		}},
		sign{"uncertain", []string{
			"not sure", "i'm unsure", "i don't know", "might be", "perhaps", "possibly", "it's unclear",
		}},
	)
	questionWords = map[string]bool{
		"who": true, "what": true, "when": true, "where": true, "why": true, "how": true, "can": true,
		"could": true, "is": true, "are": true, "do": true, "does": true,
	}
)

// userIntents returns the intents of a user message.
func userIntents(text string) []string {
	intents := userPhrases.find(text)
	if isQuestion(text) {
		intents = append(intents, "curious")
	}
	return intents
}

// agentIntents returns the intents of an answer.
func agentIntents(text string) []string { return agentPhrases.find(text) }

// isQuestion reports whether the text ends with a question mark or starts with
// a question word.
func isQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasSuffix(text, "?") {
		return true
	}
	end := 0
	for end < len(text) && end < len("where")+1 && isWordByte[text[end]] {
		end++
	}
	return questionWords[strings.ToLower(text[:end])]
}

// find returns the intents whose phrases occur in the text, nil for none. A
// phrase counts only at the beginning of a word: "hi cannot" does not contain
// "i cannot".
func (b *phrasebook) find(text string) []string {
	found := uint8(0)
	before := ascii.Mask(0)
	for at := 0; at < len(text); at += 8 {
		words := ascii.At(text, at).Words()
		for starts := words.Starts(before); starts != 0; starts = starts.Rest() {
			word := at + starts.First()
			if b.openings[opening(ascii.At(text, word))] {
				found |= intentsAt(text[word:], b.starting[lowerByte(text[word])])
			}
		}
		before = words
	}
	for _, p := range b.others {
		if strings.Contains(text, p.text) {
			found |= p.intent
		}
	}
	return b.names(found)
}

// intentsAt returns the intents of the phrases that a text starts with.
func intentsAt(text string, phrases []phrase) (found uint8) {
	for _, p := range phrases {
		if startsWith(text, p.text) {
			found |= p.intent
		}
	}
	return found
}

func (b *phrasebook) names(found uint8) []string {
	var names []string
	for i, name := range b.intents {
		if found&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// apostrophe is the typographic one.
const apostrophe = "’"

// startsWith ignores case. A typographic apostrophe equals the plain one:
// phones and models write both.
func startsWith(text, phrase string) bool {
	for i := range len(phrase) {
		switch {
		case text == "":
			return false
		case lowerByte(text[0]) == phrase[i]:
			text = text[1:]
		case phrase[i] == '\'' && strings.HasPrefix(text, apostrophe):
			text = text[len(apostrophe):]
		default:
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// isWordByte is true for ASCII letters and digits. Bytes of other characters do
// not count, so that a phrase is found after a dash or a quote.
var isWordByte = func() (is [256]bool) {
	for c := range is {
		lower := lowerByte(byte(c))
		is[c] = 'a' <= lower && lower <= 'z' || '0' <= c && c <= '9'
	}
	return is
}()
