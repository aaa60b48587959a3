package dataset

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// variablePrefix begins the names of columns of input variables.
const variablePrefix = "variable."

// logColumns are the columns of every row made from a request log, in their
// order. Those of input variables stand before them.
var logColumns = []string{"metadata", "scores", "tags", "promptlayer_url", "prompt", "response"}

// logRow is what a request log is as a row.
type logRow struct {
	cells  []cell
	prompt *PromptVersion
}

// rowOf makes a row from a request log.
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

// linkTo returns the path at which the web app shows a log.
func linkTo(l *reqlog.Log) string {
	return fmt.Sprintf("/app/%d/requests?request=%d", l.Workspace, l.ID)
}

// variableNames returns the input variables of a log, each once.
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

// compact returns JSON without white space, null for what is no JSON.
func compact(text []byte) []byte {
	tree, err := jsontree.Parse(text)
	if err != nil {
		return []byte("null")
	}
	return tree.Compact()
}

// response returns what the model answered: the message with which it called
// tools, the JSON that it wrote, and else its text.
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
