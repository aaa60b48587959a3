package duckdb

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// notesDocument is how notes are kept, in the journal and in the table. The
// metadata is an object in the order of its keys, so it is written by hand.
type notesDocument struct {
	Metadata json.RawMessage    `json:"metadata,omitempty"`
	Scores   []reqlog.Score     `json:"scores,omitempty"`
	Score    int64              `json:"score,omitempty"`
	Prompt   *reqlog.PromptLink `json:"prompt,omitempty"`
	GroupID  int64              `json:"group_id,omitempty"`
}

func encodeNotes(n *reqlog.Notes) ([]byte, error) {
	document := notesDocument{
		Metadata: encodeMembers(n.Metadata), Scores: n.Scores, Score: n.Score, Prompt: n.Prompt, GroupID: n.GroupID,
	}
	encoded, err := json.Marshal(&document)
	if err != nil {
		return nil, fmt.Errorf("encode notes: %w", err)
	}
	return encoded, nil
}

// encodeMembers writes an object with the members in their order, nil for none.
func encodeMembers(members []reqlog.Member) []byte {
	if len(members) == 0 {
		return nil
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontree.AppendQuoted(out, m.Key), ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

func decodeNotes(encoded []byte) (reqlog.Notes, error) {
	var document notesDocument
	if len(encoded) == 0 {
		return reqlog.Notes{}, nil
	}
	if err := json.Unmarshal(encoded, &document); err != nil {
		return reqlog.Notes{}, fmt.Errorf("decode notes: %w", err)
	}
	notes := reqlog.Notes{Scores: document.Scores, Score: document.Score, Prompt: document.Prompt, GroupID: document.GroupID}
	members, err := decodeMembers(document.Metadata)
	notes.Metadata = members
	return notes, err
}

func decodeMembers(object []byte) ([]reqlog.Member, error) {
	if len(object) == 0 {
		return nil, nil
	}
	tree, err := jsontree.Parse(object)
	if err != nil {
		return nil, fmt.Errorf("decode metadata: %w", err)
	}
	members := make([]reqlog.Member, 0, tree.Len())
	for key, value := range tree.Members() {
		members = append(members, reqlog.Member{Key: key, Value: value.Raw()})
	}
	return members, nil
}

// annotationDocument is how a change to notes stands in the journal.
type annotationDocument struct {
	Metadata json.RawMessage    `json:"metadata,omitempty"`
	Score    *reqlog.Score      `json:"score,omitempty"`
	Prompt   *reqlog.PromptLink `json:"prompt,omitempty"`
	GroupID  int64              `json:"group_id,omitempty"`
}

func appendAnnotation(dst []byte, workspace, id int64, change reqlog.Annotation) ([]byte, error) {
	document := annotationDocument{
		Metadata: encodeMembers(change.Metadata), Score: change.Score, Prompt: change.Prompt, GroupID: change.GroupID,
	}
	encoded, err := json.Marshal(&document)
	if err != nil {
		return dst, fmt.Errorf("encode annotation of log %d: %w", id, err)
	}
	return append(appendHeader(dst, recordAnnotation, id, workspace), encoded...), nil
}

func decodeAnnotation(r record) (reqlog.Annotation, error) {
	var document annotationDocument
	if err := json.Unmarshal(r[recordHeader:], &document); err != nil {
		return reqlog.Annotation{}, fmt.Errorf("%w: %w", errRecord, err)
	}
	members, err := decodeMembers(document.Metadata)
	return reqlog.Annotation{Metadata: members, Score: document.Score, Prompt: document.Prompt, GroupID: document.GroupID}, err
}
