package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/promptuary/promptuary/internal/provider"
)

// readEvents reads a stream of server-sent events and passes on the data of
// each. Event names are ignored, because the data repeats them.
func readEvents(body io.Reader, handle func([]byte) *provider.Error) *provider.Error {
	var data []byte
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return broken(err)
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		}
		if len(data) > 0 && (len(line) == 0 || ended) {
			if failure := handle(data); failure != nil {
				return failure
			}
			data = nil // the handler may keep the data
		}
		if ended {
			return nil
		}
	}
}
