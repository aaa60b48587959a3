package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const jsonType = "application/json"

// checkMedia returns the media type of the body and whether it is compressed with
// gzip, or a fault if the operation does not accept it.
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

// mediaType checks the Content-Type. If the operation has no list of its own, the
// body is JSON, and two wrong types are tolerated: none at all, and the form type
// that curl -d sends by default.
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

// firstPart is the size of the first buffer for a body. Buffers grow with what
// has arrived, whatever length was declared.
const firstPart = 16 << 10

// readAll reads a body to its end, after a head that was read before. The
// declared length, -1 if unknown, limits how far the buffer grows. The buffer
// is not pooled: trees, raw messages and queued records refer to it for as long
// as they like. What is read is charged to cost.
func readAll(from io.Reader, head []byte, length int64, cost *charge) ([]byte, error) {
	body := head
	if head == nil {
		body = make([]byte, 0, min(firstPart, uint64(length))) // an unknown length is -1
	}
	for int64(len(body)) != length {
		if len(body) == cap(body) {
			body = enlarge(body, length)
		}
		if len(body) >= largeBody {
			runtime.Gosched() // so that short requests are not delayed
		}
		n, err := from.Read(body[len(body):min(cap(body), len(body)+largeBody)])
		body = body[:len(body)+n]
		if full := cost.add(int64(n)); full != nil {
			return nil, full
		}
		if errors.Is(err, io.EOF) && length < 0 {
			return body, nil
		}
		if err != nil && int64(len(body)) != length {
			return nil, err
		}
	}
	return body, nil
}

// enlarge doubles the capacity, but not beyond the length, which is -1 if
// unknown.
func enlarge(body []byte, length int64) []byte {
	size := min(max(2*uint64(cap(body)), firstPart), uint64(length))
	larger := make([]byte, len(body), size)
	copy(larger, body)
	return larger
}

// gzipFault returns the fault of a body that cannot be unpacked, unless it
// could not be received.
func gzipFault(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || timedOut(err) {
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
	if timedOut(err) {
		return fault.Wrap(fault.BadRequest, err, "The request body arrived too slowly")
	}
	return fault.Wrap(fault.BadRequest, err, "The request body could not be read to its end")
}

// timedOut reports whether the read deadline passed.
func timedOut(err error) bool {
	network, ok := errors.AsType[net.Error](err)
	return ok && network.Timeout()
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The request body is larger than %d bytes", limit)
}

var (
	byteOrderMark = []byte("\xef\xbb\xbf")
	emptyObject   = []byte("{}")
)

// parseBody parses the body as a JSON object. If emptyAllowed is set, nothing and
// null count as an empty object.
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

// bodyFault returns the fault of a body that is not a JSON object.
func bodyFault(v jsontree.Value, err error) error {
	switch {
	case err != nil:
		return fault.BadRequestf("The request body is not valid JSON: %v", err)
	case v.Kind() != jsontree.Object:
		return fault.BadRequestf("The request body must be a JSON object, not %v", v.Kind())
	}
	return nil
}
