package reqlog

import "strings"

// phrase indicates an intent: in lower case, with ' for every apostrophe.
type phrase struct {
	text   string
	intent uint8 // the bit of its intent
}

// phrasebook finds phrases in one pass over a text.
type phrasebook struct {
	intents []string
	// starting has the phrases by their first byte in either case, and classes
	// what the bytes are, so that most take one look.
	starting [256][]phrase
	classes  [256]byteClass
}

// byteClass is what a byte can be.
type byteClass uint8

const (
	inWord byteClass = 1 << iota
	startsPhrase
)

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
			book.starting[text[0]] = append(book.starting[text[0]], phrase{text, 1 << i})
		}
	}
	book.classify()
	return book
}

// classify sets the classes of all bytes.
func (b *phrasebook) classify() {
	for c := range b.classes {
		lower := lowerByte(byte(c))
		b.starting[c] = b.starting[lower]
		if isWordByte[c] {
			b.classes[c] |= inWord
		}
		if len(b.starting[c]) > 0 {
			b.classes[c] |= startsPhrase
		}
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
	all := uint8(1)<<len(b.intents) - 1
	found := uint8(0)
	before := byteClass(0)
	for i := 0; i < len(text) && found != all; i++ {
		class := b.classes[text[i]]
		if class&startsPhrase != 0 && class&before&inWord == 0 {
			found |= b.intentsAt(text[i:], found)
		}
		before = class
	}
	return b.names(found)
}

// intentsAt returns the intents of the phrases that a text starts with, except
// those found.
func (b *phrasebook) intentsAt(text string, found uint8) (more uint8) {
	for _, p := range b.starting[text[0]] {
		if found&p.intent == 0 && startsWith(text, p.text) {
			more |= p.intent
		}
	}
	return more
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

// startsWith ignores case. A typographic apostrophe equals the plain one:
// phones and models write both.
func startsWith(text, phrase string) bool {
	const apostrophe = "’"
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
