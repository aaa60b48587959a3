package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// jsonHeader is shared by all answers; nobody may change its element.
var jsonHeader = []string{jsonType}

// encoder is a JSON encoder with the buffer that it writes to.
type encoder struct {
	buffer bytes.Buffer
	json   *json.Encoder
}

// maxPooled keeps a rare large answer from holding its memory for ever.
const maxPooled = 1 << 20

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.buffer)
	e.json.SetEscapeHTML(false)
	return e
}}

// encoded calls use with v as JSON, without HTML escaping; the bytes must not
// be kept.
func encoded(v any, use func(text []byte)) error {
	e := encoders.Get().(*encoder)
	defer func() {
		if e.buffer.Cap() <= maxPooled {
			e.buffer.Reset()
			encoders.Put(e)
		}
	}()
	if err := e.json.Encode(v); err != nil {
		return fmt.Errorf("encode %T: %w", v, err)
	}
	use(bytes.TrimSuffix(e.buffer.Bytes(), []byte("\n")))
	return nil
}

// encode returns v as JSON in bytes of its own.
func encode(v any) (text []byte, err error) {
	err = encoded(v, func(b []byte) { text = bytes.Clone(b) })
	return text, err
}

// WriteJSON answers with v as JSON. When v cannot be encoded nothing has been
// written and the error is to be returned from the handler.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	return encoded(v, func(text []byte) { WriteBytes(w, status, text) })
}

// WriteBytes answers with bytes that are JSON already.
func WriteBytes(w http.ResponseWriter, status int, text []byte) {
	header := w.Header()
	header["Content-Type"] = jsonHeader
	header["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(status)
	// A client that has gone away is no failure of the operation.
	_, _ = w.Write(text)
}

// bodiless reports whether answers of the status have no body.
func bodiless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader remembers the first final status.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Flush lets handlers stream.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap gives http.ResponseController the writer beneath.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
