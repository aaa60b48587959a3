package reqlog

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// IndexVersion is the version of the rules by which Derive computes an index.
// It must be raised whenever they change: stores then derive the logs that they
// have again.
const IndexVersion = 2

// Derive computes the index of the log from its input, output, metadata and
// prompt. It accepts any content and ignores what it does not recognize.
func Derive(l *Log) {
	input, _ := jsontree.Parse(l.Input)
	output, _ := jsontree.Parse(l.Output)
	DeriveFrom(l, input, output)
}

// DeriveFrom is Derive with the parsed input and output. It returns the last
// user message, a part of the input text.
func DeriveFrom(l *Log, input, output jsontree.Value) (userText string) {
	l.Index = Index{
		Metadata:  FlattenMembers(l.Metadata),
		Variables: FlattenVariables(&l.Notes),
	}
	message, at := outputMessage(output)
	userText = deriveInput(&l.Index, input, output, at)
	deriveOutput(&l.Index, message)
	deriveCalls(&l.Index, output, message)
	l.Index.UserIntent = userIntents(userText)
	return userText
}

// outputMessage returns the model's answer: the last message of the assistant,
// else the last one. A completion is its own message; its index is -1.
func outputMessage(output jsontree.Value) (message jsontree.Value, at int) {
	if template.KindOf(output) == template.Completion {
		return output, -1
	}
	at = -1
	answered := false
	for i, m := range messagesOf(output).Elems() {
		if assistant := roleIs(m, "assistant"); assistant || !answered {
			message, at, answered = m, i, assistant
		}
	}
	return message, at
}

// messagesOf returns the messages of a chat template, absent for anything else.
func messagesOf(chat jsontree.Value) jsontree.Value {
	if template.KindOf(chat) != template.Chat {
		return jsontree.Value{}
	}
	return chat.Get("messages")
}

func roleIs(message jsontree.Value, role string) bool { return message.Get("role").Is(role) }

// textHint is the maximum capacity allocated in advance for a text: larger
// bodies usually contain images rather than text.
const textHint = 16 << 10

// deriveInput joins the texts of everything but the answer, counts the turns,
// and returns the last user message.
func deriveInput(x *Index, input, output jsontree.Value, answer int) (userText string) {
	w := transcript{text: make([]byte, 0, min(len(input.Raw()), textHint))}
	if template.KindOf(input) == template.Completion {
		w.text = appendText(w.text, input.Get("content"))
		w.userEnd = len(w.text)
	}
	for _, m := range messagesOf(input).Elems() {
		w.add(m)
	}
	for i, m := range messagesOf(output).Elems() {
		if i == answer {
			w.count(m)
			continue
		}
		w.add(m)
	}
	if template.KindOf(output) == template.Completion && template.KindOf(input) == template.Chat && output.Get("content").Len() > 0 {
		w.turns++ // a completion after messages counts as an assistant message
	}
	x.InputText = string(w.text)
	x.TurnCount = w.turns
	return x.InputText[w.userStart:w.userEnd]
}

// transcript joins the texts of messages.
type transcript struct {
	text  []byte
	turns int64
	// userStart and userEnd delimit the last user message.
	userStart, userEnd int
}

func (w *transcript) count(message jsontree.Value) {
	if roleIs(message, "assistant") {
		w.turns++
	}
}

// add appends the text of a message after a blank line. The role is no part of
// it. A message without text adds nothing.
func (w *transcript) add(message jsontree.Value) {
	w.count(message)
	before := len(w.text)
	if before > 0 {
		w.text = append(w.text, "\n\n"...)
	}
	start := len(w.text)
	w.text = appendText(w.text, message.Get("content"))
	said := len(w.text)
	for function := range calledFunctions(message) {
		w.text = appendCall(w.text, start, function)
	}
	if len(w.text) == start {
		w.text, start, said = w.text[:before], before, before
	}
	if roleIs(message, "user") {
		w.userStart, w.userEnd = start, said
	}
}

// appendCall appends a called function as a separate line: its name and its
// arguments. The text of the message begins at start.
func appendCall(dst []byte, start int, function jsontree.Value) []byte {
	if len(dst) > start {
		dst = append(dst, '\n')
	}
	dst = function.Get("name").AppendStr(dst)
	arguments := function.Get("arguments")
	if !arguments.Given() {
		return dst
	}
	dst = append(dst, ' ')
	if arguments.Kind() == jsontree.String {
		return arguments.AppendStr(dst)
	}
	return append(dst, arguments.Compact()...)
}

// appendText appends the text blocks of a content, one per line. In older
// records, content can be a string.
func appendText(dst []byte, content jsontree.Value) []byte {
	dst = content.AppendStr(dst)
	first := true
	for _, block := range content.Elems() {
		if !block.Get("type").Is("text") {
			continue
		}
		if !first {
			dst = append(dst, '\n')
		}
		first = false
		dst = block.Get("text").AppendStr(dst)
	}
	return dst
}

// deriveOutput classifies the answer and makes its content searchable.
func deriveOutput(x *Index, message jsontree.Value) {
	text := messageText(message)
	x.AgentIntent = agentIntents(text)
	if makesCalls(message) {
		f := flattenCalls(message)
		x.IsToolCall = true
		x.Output = f.pairs
		x.OutputText = f.lines(text)
		return
	}
	object, before, ok := findObject(text)
	if !ok {
		x.OutputText = text
		return
	}
	f := flattenObject(object)
	x.IsJSON = true
	x.Output = f.pairs
	if f.cut || len(f.pairs) == 0 {
		x.OutputText = text // the pairs are incomplete
		return
	}
	x.OutputText = f.lines(strings.TrimSpace(before))
}

func messageText(message jsontree.Value) string {
	content := message.Get("content")
	return string(appendText(make([]byte, 0, min(len(content.Raw()), textHint)), content))
}

// lines renders the pairs after a text, one per line.
func (f *flattener) lines(text string) string {
	size := len(text) + 1
	for _, p := range f.pairs {
		size += len(p.Key) + len(p.Value) + len(": \n")
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(text)
	for _, p := range f.pairs {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Key)
		b.WriteByte(':')
		if !p.Empty {
			b.WriteByte(' ')
			b.WriteString(p.Value)
		}
	}
	return b.String()
}
