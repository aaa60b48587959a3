package reqlog

import "github.com/promptuary/promptuary/internal/jsontree"

// Answer is what a model said at the end of an output.
type Answer struct {
	// Message is the last message of the assistant, else the last one; a
	// completion is its own message. It is absent where there is none.
	Message jsontree.Value
	// Text is the text of the message.
	Text string
	// CallsTools says that the message calls tools.
	CallsTools bool
}

// AnswerOf returns the answer within the output of a log.
func AnswerOf(output jsontree.Value) Answer {
	message, _ := outputMessage(output)
	return Answer{Message: message, Text: messageText(message), CallsTools: makesCalls(message)}
}
