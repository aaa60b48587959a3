package embedded

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// A record of the journal starts with its kind, the log's id (or the key of a
// span or closed trace) and its workspace, so that these can be read without
// decoding the rest. A log follows as length-prefixed parts: a JSON head with everything small, another
// with what was derived, which few readers want, the large texts as they are,
// and the version of the rules by which it was derived.
const (
	recordLog        = 1
	recordAnnotation = 2
	recordSpan       = 3
	recordClosure    = 4
	recordPrices     = 5
	recordDeletion   = 6

	recordHeader = 1 + 8 + 8
)

var errRecord = document.ErrMalformed

// The parts of a log's record, in their order.
const (
	partHead = iota
	partIndex
	partInput
	partOutput
	partParameters
	partInputText
	partOutputText
	partThinkingText
	partVersion // absent in records from before there were versions
	partCount
)

// indexVersion is the version part of new records.
var indexVersion = []byte{reqlog.IndexVersion}

// logParts are the parts of a log's record.
type logParts [partCount][]byte

// current reports whether the log was derived by the rules of this program.
func (p *logParts) current() bool { return bytes.Equal(p[partVersion], indexVersion) }

// texts returns the searchable texts of the log. Those that were derived by
// other rules are derived again.
func (p *logParts) texts() logTexts {
	if p.current() {
		return logTexts{textInput: string(p[partInputText]), textOutput: string(p[partOutputText]), textThinking: string(p[partThinkingText])}
	}
	l := reqlog.Log{Input: p[partInput], Output: p[partOutput]}
	reqlog.Derive(&l)
	return textsOf(&l.Index)
}

type record []byte

func (r record) valid() bool      { return len(r) >= recordHeader }
func (r record) kind() byte       { return r[0] }
func (r record) id() int64        { return int64(binary.LittleEndian.Uint64(r[1:])) }
func (r record) workspace() int64 { return int64(binary.LittleEndian.Uint64(r[9:])) }

func appendHeader(dst []byte, kind byte, id, workspace int64) []byte {
	dst = append(dst, kind)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(id))
	return binary.LittleEndian.AppendUint64(dst, uint64(workspace))
}

func appendPart[T ~string | ~[]byte](dst []byte, part T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(part)))
	return append(dst, part...)
}

// parts splits the record of a log.
func (r record) parts() (parts logParts, err error) {
	rest := r[recordHeader:]
	for i := range parts {
		if i == partVersion && len(rest) == 0 {
			break
		}
		if parts[i], rest, err = cutPart(rest); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

// cutPart undoes appendPart.
func cutPart(from []byte) (part, rest []byte, err error) {
	size, n := binary.Uvarint(from)
	if n <= 0 || size > uint64(len(from)-n) {
		return nil, nil, errRecord
	}
	end := n + int(size)
	return from[n:end:end], from[end:], nil
}

// wellFormed reports whether records can be those of a block.
func wellFormed(records [][]byte) bool {
	for _, raw := range records {
		r := record(raw)
		if len(r) == 0 {
			continue // it was deleted
		}
		if !r.valid() {
			return false
		}
		switch r.kind() {
		case recordLog:
			if _, err := r.parts(); err != nil {
				return false
			}
		case recordSpan:
			if _, err := r.spanParts(); err != nil {
				return false
			}
		case recordAnnotation, recordClosure:
			if !json.Valid(r[recordHeader:]) {
				return false
			}
		case recordPrices:
			if _, err := decodePriceChange(r); err != nil {
				return false
			}
		case recordDeletion:
			if _, err := decodeDeletion(r); err != nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// derived is the small part of a log's index as the journal keeps it.
type derived struct {
	IsJSON        bool          `json:"is_json,omitempty"`
	IsToolCall    bool          `json:"is_tool_call,omitempty"`
	ToolNames     []string      `json:"tool_names,omitempty"`
	ToolCallCount int64         `json:"tool_calls,omitempty"`
	TurnCount     int64         `json:"turns,omitempty"`
	UserIntent    []string      `json:"user_intent,omitempty"`
	AgentIntent   []string      `json:"agent_intent,omitempty"`
	Output        []reqlog.Pair `json:"output,omitempty"`
	Metadata      []reqlog.Pair `json:"metadata,omitempty"`
	Variables     []reqlog.Pair `json:"variables,omitempty"`
}

// encodeDerived returns derived as JSON. It is written by hand like the head.
func encodeDerived(x *reqlog.Index) []byte {
	w := jsontree.NewWriter(make([]byte, 0, 256))
	w.Object(func() {
		if x.IsJSON {
			w.Key("is_json").Bool(true)
		}
		if x.IsToolCall {
			w.Key("is_tool_call").Bool(true)
		}
		for _, count := range [...]struct {
			key string
			n   int64
		}{{"tool_calls", x.ToolCallCount}, {"turns", x.TurnCount}} {
			if count.n != 0 {
				w.Key(count.key).Int(count.n)
			}
		}
		for _, list := range [...]struct {
			key   string
			texts []string
		}{{"tool_names", x.ToolNames}, {"user_intent", x.UserIntent}, {"agent_intent", x.AgentIntent}} {
			if len(list.texts) > 0 {
				w.Key(list.key).Strings(list.texts)
			}
		}
		writePairs(&w, "output", x.Output)
		writePairs(&w, "metadata", x.Metadata)
		writePairs(&w, "variables", x.Variables)
	})
	return w.Bytes()
}

// writePairs writes pairs as encoding/json does, unless there are none.
func writePairs(w *jsontree.Writer, key string, pairs []reqlog.Pair) {
	if len(pairs) == 0 {
		return
	}
	w.Key(key).Array(func() {
		for i := range pairs {
			w.Object(func() {
				w.Key("Key").String(pairs[i].Key)
				w.Key("Value").String(pairs[i].Value)
				w.Key("Empty").Bool(pairs[i].Empty)
			})
		}
	})
}

func appendLog(dst []byte, l *reqlog.Log) ([]byte, error) {
	head, err := document.EncodeLog(l)
	if err != nil {
		return dst, err
	}
	dst = appendHeader(dst, recordLog, l.ID, l.Workspace)
	dst = appendPart(dst, head)
	dst = appendPart(dst, encodeDerived(&l.Index))
	dst = appendPart(dst, l.Input)
	dst = appendPart(dst, l.Output)
	dst = appendPart(dst, l.Parameters)
	dst = appendPart(dst, l.Index.InputText)
	dst = appendPart(dst, l.Index.OutputText)
	dst = appendPart(dst, l.Index.ThinkingText)
	return appendPart(dst, indexVersion), nil
}

// decodeLog reads a log without its index.
func decodeLog(r record) (*reqlog.Log, error) {
	parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	l, err := document.DecodeLog(parts[partHead])
	if err != nil {
		return nil, err
	}
	l.ID, l.Workspace = r.id(), r.workspace()
	l.Input, l.Output, l.Parameters = parts[partInput], parts[partOutput], parts[partParameters]
	return l, nil
}

// decodeWhole reads a log with its index. An index that was derived by other
// rules is derived again.
func decodeWhole(r record) (*reqlog.Log, error) {
	l, err := decodeLog(r)
	if err != nil {
		return nil, err
	}
	parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	if !parts.current() && !l.TextsDeleted { // there is nothing left to derive from
		reqlog.Derive(l)
		return l, nil
	}
	var d derived
	if err := json.Unmarshal(parts[partIndex], &d); err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	l.Index = reqlog.Index{
		InputText: string(parts[partInputText]), OutputText: string(parts[partOutputText]), ThinkingText: string(parts[partThinkingText]),
		IsJSON: d.IsJSON, IsToolCall: d.IsToolCall, ToolNames: d.ToolNames, ToolCallCount: d.ToolCallCount, TurnCount: d.TurnCount,
		UserIntent: d.UserIntent, AgentIntent: d.AgentIntent, Output: d.Output, Metadata: d.Metadata, Variables: d.Variables,
	}
	return l, nil
}
