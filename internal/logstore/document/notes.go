// Package document has the JSON documents in which log stores keep logs, notes
// and spans, and the texts of pairs in their columns. Documents of earlier
// versions stay readable.
package document

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// notesDocument is how notes are kept, with metadata and prompt. What a client wrote
// as JSON is written by hand, because encoding/json would drop its white space and
// escape more of it.
type notesDocument struct {
	Scores  []reqlog.Score `json:"scores,omitempty"`
	Score   int64          `json:"score,omitempty"`
	GroupID int64          `json:"group_id,omitempty"`
}

// EncodeNotes returns the document of notes.
func EncodeNotes(n *reqlog.Notes) ([]byte, error) {
	if len(n.Scores) == 0 && n.Score == 0 && n.GroupID == 0 { // as usual
		return addClientJSON([]byte("{}"), n.Metadata, linkDocumentOf(n.Prompt, n.Variables))
	}
	encoded, err := json.Marshal(&notesDocument{Scores: n.Scores, Score: n.Score, GroupID: n.GroupID})
	if err != nil {
		return nil, fmt.Errorf("encode notes: %w", err)
	}
	return addClientJSON(encoded, n.Metadata, linkDocumentOf(n.Prompt, n.Variables))
}

// addClientJSON adds what came as JSON. It is checked, because a record that
// cannot be read again would stop every start.
func addClientJSON(document []byte, metadata []reqlog.Member, link *linkDocument) ([]byte, error) {
	prompt, err := link.encode()
	if err != nil {
		return nil, err
	}
	document = addMember(addMember(document, "metadata", encodeMembers(metadata)), "prompt", prompt)
	if !json.Valid(document) {
		return nil, errors.New("encode notes: metadata or input variables are no JSON")
	}
	return document, nil
}

// addMember puts a member with the JSON text value into an object, unless there
// is no text.
func addMember(object []byte, key string, value []byte) []byte {
	if len(value) == 0 {
		return object
	}
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(jsontree.AppendQuoted(object, key), ':')
	return append(append(object, value...), '}')
}

// linkDocument is how a prompt link and the input variables are kept. The id is
// 0 when there are variables only.
type linkDocument struct {
	ID         int64
	Version    int64
	Variables  json.RawMessage `json:",omitempty"`
	Referenced []string        `json:",omitempty"`
}

// linkDocumentOf returns nil when there is neither.
func linkDocumentOf(link *reqlog.PromptLink, variables json.RawMessage) *linkDocument {
	switch {
	case link != nil:
		return &linkDocument{ID: link.ID, Version: link.Version, Variables: variables, Referenced: link.Referenced}
	case len(variables) > 0:
		return &linkDocument{Variables: variables}
	}
	return nil
}

func (d *linkDocument) encode() ([]byte, error) {
	if d == nil {
		return nil, nil
	}
	encoded, err := json.Marshal(&linkDocument{ID: d.ID, Version: d.Version, Referenced: d.Referenced})
	if err != nil {
		return nil, fmt.Errorf("encode prompt link: %w", err)
	}
	return addMember(encoded, "Variables", d.Variables), nil
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

// DecodeNotes undoes EncodeNotes. Nothing stands for no notes.
func DecodeNotes(encoded []byte) (reqlog.Notes, error) {
	if len(encoded) == 0 {
		return reqlog.Notes{}, nil
	}
	d, tree := newDecoder(encoded)
	return d.notes(tree), d.err
}

// annotationDocument is how a change to notes is kept, with metadata and prompt.
type annotationDocument struct {
	Score   *reqlog.Score `json:"score,omitempty"`
	GroupID int64         `json:"group_id,omitempty"`
	// RemovedKeys and RemovedScores are not known to programs before they were
	// added, which ignore them.
	RemovedKeys   []string `json:"removed_keys,omitempty"`
	RemovedScores []string `json:"removed_scores,omitempty"`
	RemovedPaths  []string `json:"removed_paths,omitempty"`
}

// EncodeAnnotation returns the document of a change to notes.
func EncodeAnnotation(change reqlog.Annotation) ([]byte, error) {
	encoded, err := json.Marshal(&annotationDocument{
		Score: change.Score, GroupID: change.GroupID, RemovedKeys: change.RemovedKeys, RemovedScores: change.RemovedScores, RemovedPaths: change.RemovedPaths,
	})
	if err != nil {
		return nil, fmt.Errorf("encode annotation: %w", err)
	}
	return addClientJSON(encoded, change.Metadata, linkDocumentOf(change.Prompt, change.Variables))
}

// DecodeAnnotation undoes EncodeAnnotation.
func DecodeAnnotation(encoded []byte) (reqlog.Annotation, error) {
	d, tree := newDecoder(encoded)
	var change reqlog.Annotation
	for v := range d.members(tree) {
		switch v.KeyView() {
		case "metadata":
			change.Metadata = d.pairs(v)
		case "prompt":
			change.Prompt, change.Variables = d.link(v)
		case "score":
			if v.Given() {
				score := d.score(v)
				change.Score = &score
			}
		case "group_id":
			change.GroupID = d.int(v)
		case "removed_keys":
			change.RemovedKeys = d.texts(v)
		case "removed_scores":
			change.RemovedScores = d.texts(v)
		case "removed_paths":
			change.RemovedPaths = d.texts(v)
		}
	}
	return change, d.err
}
