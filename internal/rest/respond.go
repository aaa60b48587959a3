package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// jsonHeader is shared by all responses and must not be changed.
var jsonHeader = []string{jsonType}

// encoder is a JSON encoder with its buffer.
type encoder struct {
	buffer bytes.Buffer
	json   *json.Encoder
}

// maxPooled is the maximum size of a buffer that is kept for reuse.
const maxPooled = 1 << 20

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.buffer)
	e.json.SetEscapeHTML(false)
	return e
}}

// encoded calls use with v as JSON, without HTML escaping. use must not keep the
// bytes.
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

// encode returns v as JSON.
func encode(v any) (text []byte, err error) {
	err = encoded(v, func(b []byte) { text = bytes.Clone(b) })
	return text, err
}

// WriteJSON responds with v as JSON. If v cannot be encoded, nothing is written,
// and the handler must return the error.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	return encoded(v, func(text []byte) { WriteBytes(w, status, text) })
}

// WriteBytes responds with encoded JSON.
func WriteBytes(w http.ResponseWriter, status int, text []byte) {
	header := w.Header()
	header["Content-Type"] = jsonHeader
	header["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(status)
	// A disconnected client is not an error of the operation.
	_, _ = w.Write(text)
}

// bodiless reports whether responses with the status have no body.
func bodiless(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

// recorder records the status and the size of a response.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader records the first final status.
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

// Flush sends what was written until now.
func (w *recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the underlying writer for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
