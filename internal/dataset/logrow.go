package dataset

import (
	"fmt"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// variablePrefix is the prefix of the columns of input variables.
const variablePrefix = "variable."

// logColumns are the columns of a row made from a request log unless the client
// chooses others, in order. The columns of input variables come before them.
var logColumns = []string{"metadata", "scores", "tags", "promptlayer_url", "prompt", "response"}

// LogColumns are all columns that a row made from a request log can have.
var LogColumns = []string{
	"request_url", "input", "output", "status", "error_type", "error_message", "provider", "model", "start_time", "latency_ms", "cost",
	"input_tokens", "output_tokens", "metadata", "scores", "tags", "promptlayer_url", "prompt", "response",
}

// logValues are the values of LogColumns.
var logValues = map[string]func(l *reqlog.Log) []byte{
	"request_url":   linkValue,
	"input":         inputValue,
	"output":        outputValue,
	"status":        func(l *reqlog.Log) []byte { return jsontree.AppendQuoted(nil, l.Status) },
	"error_type":    func(l *reqlog.Log) []byte { return textOrNull(l.ErrorType) },
	"error_message": func(l *reqlog.Log) []byte { return textOrNull(l.ErrorMessage) },
	"provider":      func(l *reqlog.Log) []byte { return jsontree.AppendQuoted(nil, l.Provider) },
	"model":         func(l *reqlog.Log) []byte { return jsontree.AppendQuoted(nil, l.Engine) },
	"start_time": func(l *reqlog.Log) []byte {
		return jsontree.AppendQuoted(nil, l.Start.Time().UTC().Format(time.RFC3339Nano))
	},
	"latency_ms":      func(l *reqlog.Log) []byte { return number(l.LatencyMS()) },
	"cost":            func(l *reqlog.Log) []byte { return number(l.Price.USD) },
	"input_tokens":    func(l *reqlog.Log) []byte { return strconv.AppendInt(nil, l.Usage.Input.N, 10) },
	"output_tokens":   func(l *reqlog.Log) []byte { return strconv.AppendInt(nil, l.Usage.Output.N, 10) },
	"metadata":        metadataOf,
	"scores":          scoresOf,
	"tags":            tagsOf,
	"promptlayer_url": linkValue,
	"prompt":          inputValue,
	"response":        outputValue,
}

func linkValue(l *reqlog.Log) []byte   { return jsontree.AppendQuoted(nil, linkTo(l)) }
func inputValue(l *reqlog.Log) []byte  { return compact(l.Input) }
func outputValue(l *reqlog.Log) []byte { return response(l.Output) }

func textOrNull(text string) []byte {
	if text == "" {
		return []byte("null")
	}
	return jsontree.AppendQuoted(nil, text)
}

func number(f float64) []byte {
	w := jsontree.NewWriter(nil)
	w.Float(f)
	return w.Bytes()
}

// logRow is a request log as a row.
type logRow struct {
	cells  []cell
	prompt *PromptVersion
}

// rowOf returns the row for a request log with the columns of its variables and
// the given ones, logColumns if there are none.
func rowOf(l *reqlog.Log, columns []string) logRow {
	var row logRow
	for _, name := range variableNames(l) {
		row.cells = append(row.cells, cell{variablePrefix + name.Key(), name.Compact()})
	}
	if l.Prompt != nil {
		row.prompt = &PromptVersion{l.Prompt.ID, l.Prompt.Version}
	}
	for _, column := range orDefault(columns) {
		row.cells = append(row.cells, cell{column, logValues[column](l)})
	}
	return row
}

func orDefault(columns []string) []string {
	if len(columns) == 0 {
		return logColumns
	}
	return columns
}

// linkTo returns the path of a log in the web app.
func linkTo(l *reqlog.Log) string {
	return fmt.Sprintf("/app/%d/requests?request=%d", l.Workspace, l.ID)
}

// variableNames returns the input variables of a log without duplicates.
func variableNames(l *reqlog.Log) []jsontree.Value {
	tree, err := jsontree.Parse(l.Variables)
	if err != nil {
		return nil // there are none
	}
	list := make([]jsontree.Value, 0, tree.Len())
	for _, member := range tree.Members() {
		list = append(list, member)
	}
	return list
}

func metadataOf(l *reqlog.Log) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, member := range l.Metadata {
			w.Key(member.Key).Raw(compact(member.Value))
		}
	})
	return w.Bytes()
}

func scoresOf(l *reqlog.Log) []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for _, score := range l.Scores {
			w.Key(score.Name).Int(score.Value)
		}
	})
	return w.Bytes()
}

func tagsOf(l *reqlog.Log) []byte {
	w := jsontree.NewWriter(nil)
	w.Strings(l.Tags)
	return w.Bytes()
}

// compact returns JSON without white space, null for invalid JSON.
func compact(text []byte) []byte {
	tree, err := jsontree.Parse(text)
	if err != nil {
		return []byte("null")
	}
	return tree.Compact()
}

// response returns the output of the model: the message with its tool calls,
// else the JSON that it wrote, else its text.
func response(output []byte) []byte {
	tree, _ := jsontree.Parse(output)
	answer := reqlog.AnswerOf(tree)
	if answer.CallsTools {
		return answer.Message.Compact()
	}
	if written, err := jsontree.Parse([]byte(answer.Text)); err == nil && written.Kind() == jsontree.Object {
		return written.Compact()
	}
	return jsontree.AppendQuoted(nil, answer.Text)
}
