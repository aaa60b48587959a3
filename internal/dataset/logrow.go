package dataset

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// variablePrefix is the prefix of the columns of input variables.
const variablePrefix = "variable."

// logColumns are the columns of every row made from a request log, in order.
// The columns of input variables come before them.
var logColumns = []string{"metadata", "scores", "tags", "promptlayer_url", "prompt", "response"}

// logRow is a request log as a row.
type logRow struct {
	cells  []cell
	prompt *PromptVersion
}

// rowOf returns the row for a request log.
func rowOf(l *reqlog.Log) logRow {
	var row logRow
	for _, name := range variableNames(l) {
		row.cells = append(row.cells, cell{variablePrefix + name.Key(), name.Compact()})
	}
	if l.Prompt != nil {
		row.prompt = &PromptVersion{l.Prompt.ID, l.Prompt.Version}
	}
	values := [][]byte{
		metadataOf(l), scoresOf(l), tagsOf(l),
		jsontree.AppendQuoted(nil, linkTo(l)), compact(l.Input), response(l.Output),
	}
	for i, column := range logColumns {
		row.cells = append(row.cells, cell{column, values[i]})
	}
	return row
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
