package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// apiKey returns the key, "" for none.
func (r *Request) apiKey(w http.ResponseWriter) (string, error) {
	header, ok := r.HTTP.Header["X-Api-Key"]
	switch {
	case ok:
		return strings.TrimSpace(header[0]), nil
	case r.op.Auth == AuthKeyOrBody:
		return r.bodyKey(w)
	}
	return "", nil
}

// maxHead is how much of a body is read to find the key in it. Only if the key
// comes later, the whole body is read for a caller who is not known yet.
const maxHead = 8 << 10

// bodyKey returns the key in the body. That the body is too large, for now or
// in general, is reported first, because the key may be in what was not read;
// every other problem of the body is not reported to a stranger.
func (r *Request) bodyKey(w http.ResponseWriter) (string, error) {
	var err error
	if r.MediaType, r.packed, err = r.op.checkMedia(r.HTTP); err != nil {
		return "", nil //nolint:nilerr // answered with 401
	}
	if err = r.readHead(w); err == nil && len(r.head) == maxHead {
		if key := keyIn(r.head); key != "" {
			return key, nil
		}
	}
	if err == nil {
		err = r.readBody(w)
	}
	if fault.Is(err, fault.TooLarge) || fault.Is(err, fault.Unavailable) {
		return "", err
	}
	return strings.TrimSpace(r.Body.Get("api_key").Str()), nil
}

// readHead opens the body and reads its beginning.
func (r *Request) readHead(w http.ResponseWriter) error {
	if err := r.openBody(w, r.bodyLimit()); err != nil {
		return err
	}
	head := make([]byte, min(maxHead, uint64(r.length()))) // an unknown length is -1
	n, err := io.ReadFull(&r.stream, head)
	r.head = head[:n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return errors.Join(err, r.cost.add(int64(n)))
}

// keyIn returns the key in the beginning of a JSON object, "" for none.
func keyIn(head []byte) (key string) {
	head = bytes.TrimPrefix(head, byteOrderMark)
	// The object is cut off, so that there is always an error.
	_, _ = jsontree.ParseExtracting(bytes.NewReader(head), "api_key", len(head), func(text io.Reader) error {
		found, err := io.ReadAll(text)
		if err == nil {
			key = strings.TrimSpace(string(found))
		}
		return err
	})
	return key
}
