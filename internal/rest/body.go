package rest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const jsonType = "application/json"

// checkMedia returns the body's media type and whether it is packed with gzip,
// or a fault where the operation cannot read such a body.
func (op *operation) checkMedia(r *http.Request) (mediaType string, packed bool, err error) {
	mediaType, err = op.mediaType(r)
	if err != nil {
		return "", false, err
	}
	switch strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return mediaType, false, nil
	case "gzip", "x-gzip":
		return mediaType, true, nil
	}
	return "", false, fault.New(fault.UnsupportedMedia, "Unsupported Content-Encoding: send the body plain or with gzip")
}

// mediaType checks the Content-Type. Where the operation has no list of its
// own the body is JSON, and two labels are forgiven besides the right ones:
// none at all, and the form type that curl -d writes on whatever it sends.
func (op *operation) mediaType(r *http.Request) (string, error) {
	declared := r.Header.Get("Content-Type")
	if len(op.Accept) == 0 && (declared == "" || declared == jsonType || r.ContentLength == 0) {
		return jsonType, nil
	}
	parsed, _, err := mime.ParseMediaType(declared)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		parsed = ""
	}
	isJSON := parsed == jsonType || strings.HasSuffix(parsed, "+json")
	switch {
	case len(op.Accept) > 0 && slices.Contains(op.Accept, parsed):
		return parsed, nil
	case len(op.Accept) == 0 && (isJSON || parsed == "application/x-www-form-urlencoded"):
		return jsonType, nil
	}
	return "", fault.New(fault.UnsupportedMedia, "Unsupported Content-Type: send %s", strings.Join(op.accepts(), " or "))
}

// accepts lists the media types of the operation's body.
func (op *operation) accepts() []string {
	if len(op.Accept) == 0 {
		return []string{jsonType}
	}
	return op.Accept
}

// trustedLength is up to where a declared length is believed before the bytes
// have arrived. A longer one is believed after so many of them.
const trustedLength = 1 << 20

// readBody reads the whole body. The buffer has the body's size and is not
// pooled: trees, raw messages and queued records point into it for as long as
// they like. What it takes is charged to cost.
func readBody(w http.ResponseWriter, r *http.Request, packed bool, limit int64, cost *charge) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	limited := http.MaxBytesReader(w, r.Body, limit)
	var body []byte
	var err error
	if packed {
		body, err = unpack(limited, limit, cost)
	} else {
		body, err = readSized(limited, r.ContentLength, cost)
	}
	if fault.Is(err, fault.Unavailable) {
		// The client reads the answer only after it has sent everything.
		_, _ = io.Copy(io.Discard, limited)
		return nil, err
	}
	return body, readFault(err, limit)
}

// readSized reads a body of a declared length, -1 for an unknown one.
func readSized(from io.Reader, length int64, cost *charge) ([]byte, error) {
	if length < 0 {
		var buffer bytes.Buffer
		_, err := buffer.ReadFrom(cost.reader(from))
		return buffer.Bytes(), err
	}
	body, err := readExactly(from, nil, min(length, trustedLength), cost)
	if err == nil && length > trustedLength {
		body, err = readExactly(from, body, length, cost)
	}
	return body, err
}

// readExactly reads until a body that begins with start has the length.
func readExactly(from io.Reader, start []byte, length int64, cost *charge) ([]byte, error) {
	if err := cost.add(length - int64(len(start))); err != nil {
		return nil, err
	}
	body := make([]byte, length)
	_, err := io.ReadFull(from, body[copy(body, start):])
	return body, err
}

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

// unpack reads a gzip body; the limit holds for what comes out, too, so that a
// small body cannot fill the memory.
func unpack(from io.Reader, limit int64, cost *charge) ([]byte, error) {
	reader := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(reader)
	if err := reader.Reset(from); err != nil {
		return nil, gzipFault(err)
	}
	var buffer bytes.Buffer
	if _, err := buffer.ReadFrom(cost.reader(io.LimitReader(reader, limit+1))); err != nil {
		return nil, gzipFault(err)
	}
	if int64(buffer.Len()) > limit {
		return nil, tooLarge(limit)
	}
	return buffer.Bytes(), nil
}

// gzipFault tells what is wrong with the packed bytes from what is wrong with
// getting them.
func gzipFault(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || fault.Is(err, fault.Unavailable) {
		return err
	}
	return fault.Wrap(fault.BadRequest, err, "The request body is not valid gzip")
}

func readFault(err error, limit int64) error {
	if _, ok := errors.AsType[*fault.Error](err); ok || err == nil {
		return err
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(limit)
	}
	return fault.Wrap(fault.BadRequest, err, "The request body could not be read to its end")
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The request body is larger than %d bytes", limit)
}

var (
	byteOrderMark = []byte("\xef\xbb\xbf")
	emptyObject   = []byte("{}")
)

// parseBody reads the body as one JSON object; where emptyAllowed, nothing and
// null count as an empty one.
func parseBody(body []byte, emptyAllowed bool) (jsontree.Value, error) {
	text := bytes.TrimPrefix(body, byteOrderMark)
	if blank := bytes.TrimSpace(text); len(blank) == 0 || string(blank) == "null" {
		if !emptyAllowed {
			return jsontree.Value{}, fault.BadRequestf("The request body must be a JSON object, but it is empty")
		}
		text = emptyObject
	}
	v, err := jsontree.Parse(text)
	return v, bodyFault(v, err)
}

// bodyFault returns the fault of a body that is no JSON object.
func bodyFault(v jsontree.Value, err error) error {
	switch {
	case err != nil:
		return fault.BadRequestf("The request body is not valid JSON: %v", err)
	case v.Kind() != jsontree.Object:
		return fault.BadRequestf("The request body must be a JSON object, not %v", v.Kind())
	}
	return nil
}
