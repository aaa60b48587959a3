package reqlog

import "github.com/promptuary/promptuary/internal/jsontree"

// Answer is the model's answer in an output.
type Answer struct {
	// Message is the last message of the assistant, else the last one; a
	// completion is its own message. It is absent if there is none.
	Message jsontree.Value
	// Text is the text of the message.
	Text string
	// CallsTools reports whether the message calls tools.
	CallsTools bool
}

// AnswerOf returns the answer in the output of a log.
func AnswerOf(output jsontree.Value) Answer {
	message, _ := outputMessage(output)
	return Answer{Message: message, Text: messageText(message), CallsTools: makesCalls(message)}
}
