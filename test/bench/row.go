package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// decodeBody decodes a generated body like the program does.
func (b *bench) decodeBody(body []byte, id int64) (*reqlog.Log, error) {
	tree, err := jsontree.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("parse a generated body: %w", err)
	}
	var problems fault.Problems
	in := reqlog.DecodeLog(tree, []any{"body"}, &problems)
	if err := problems.Err(); err != nil {
		return nil, fmt.Errorf("read a generated body: %w", err)
	}
	in.Derive()
	in.Log.ID = id
	if prompt, ok := b.prompts[in.Prompt.Name]; ok {
		in.Log.Prompt = &reqlog.PromptLink{ID: prompt, Version: 1}
	}
	return in.Log, nil
}

// separator separates key and value of a flattened pair.
const separator = "\x1f"

func pairTexts(pairs []reqlog.Pair) []string {
	texts := make([]string, 0, len(pairs))
	for _, p := range pairs {
		if !p.Empty {
			texts = append(texts, p.Key+separator+p.Value)
		}
	}
	return texts
}

func pairValues(pairs []reqlog.Pair) []string {
	values := make([]string, len(pairs))
	for i, p := range pairs {
		values[i] = p.Value
	}
	return values
}

// notesText is the text of a log on a page besides its columns.
func notesText(l *reqlog.Log) (string, error) {
	metadata := make([]map[string]json.RawMessage, len(l.Metadata))
	for i, m := range l.Metadata {
		metadata[i] = map[string]json.RawMessage{m.Key: m.Value}
	}
	text, err := json.Marshal(map[string]any{"metadata": metadata, "scores": l.Scores})
	return string(text), err
}

// tokens returns the distinct terms of the searchable text of a log: lower
// case, without apostrophes, split at everything except letters and digits.
func tokens(l *reqlog.Log) []string {
	text := strings.ToLower(l.Index.InputText + "\n" + l.Index.OutputText)
	text = strings.NewReplacer("'", "", "’", "").Replace(text)
	fields := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	seen := make(map[string]struct{}, len(fields))
	distinct := fields[:0]
	for _, f := range fields {
		if _, ok := seen[f]; !ok {
			seen[f] = struct{}{}
			distinct = append(distinct, f)
		}
	}
	return distinct
}
