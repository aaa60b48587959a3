package script

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// job is a program as it is sent to a process.
type job struct {
	Code   string            `json:"code"`
	Entry  string            `json:"entry"`
	Data   json.RawMessage   `json:"data"`
	Env    map[string]string `json:"env"`
	Limits Limits            `json:"limits"`
}

// outcome is the answer of a process.
type outcome struct {
	Value   json.RawMessage `json:"value,omitempty"`
	Stdout  string          `json:"stdout,omitempty"`
	Stderr  string          `json:"stderr,omitempty"`
	Failure *Error          `json:"failure,omitempty"`
}

// maxFrame limits the size of messages between processes. It is far above what
// the other limits allow, and protects the memory from a broken process.
const maxFrame = 1 << 30

var errFrame = errors.New("a message of a worker is malformed")

// writeFrame sends the length of a value and the value as JSON.
func writeFrame(w io.Writer, value any) error {
	var buffer bytes.Buffer
	buffer.Write(make([]byte, 4))
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	frame := buffer.Bytes()
	if len(frame) > maxFrame {
		return errFrame
	}
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-4))
	_, err := w.Write(frame)
	return err
}

// readFrame receives a value of at most limit bytes.
func readFrame(r io.Reader, limit int64, into any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size > limit {
		return errFrame
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return err
	}
	return json.Unmarshal(body, into)
}

// answerLimit returns the size of the largest answer: every byte outside of the
// value may be escaped with six.
func answerLimit(l Limits) int64 { return l.Output + 6*(2*MaxPrinted+3*maxText) + 4<<10 }

const cutMark = " … (cut)"

// cut truncates a text to valid UTF-8 and marks it as truncated.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + cutMark
}

// printed keeps the beginning of what is written to it.
type printed struct {
	text []byte
	over bool
}

// Write never fails: a program may print any amount.
func (p *printed) Write(text []byte) (int, error) {
	room := MaxPrinted - len(p.text)
	p.over = p.over || len(text) > room
	p.text = append(p.text, text[:min(room, len(text))]...)
	return len(text), nil
}

// String returns the text as valid UTF-8.
func (p *printed) String() string {
	text := strings.ToValidUTF8(string(p.text), "\uFFFD")
	if p.over {
		text += cutMark
	}
	return text
}
