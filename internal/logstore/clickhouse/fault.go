package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// retryAfter is when clients should try again if the database is away.
const retryAfter = 5 * time.Second

// awayError says that a host gave no answer.
type awayError struct {
	// sent says that the host may have received the statement.
	sent  bool
	cause error
}

func (e *awayError) Error() string { return e.cause.Error() }
func (e *awayError) Unwrap() error { return e.cause }

// serverError is an answer that says what is wrong.
type serverError struct {
	status int
	code   int // of ClickHouse, 0 if the answer has none
	text   string
}

func (e *serverError) Error() string {
	return fmt.Sprintf("ClickHouse answers %d: %s", e.status, e.text)
}

var codeText = regexp.MustCompile(`Code: ([0-9]+)\.`)

func newServerError(response *http.Response, body []byte) *serverError {
	e := &serverError{status: response.StatusCode, text: strings.TrimSpace(string(body))}
	code := response.Header.Get("X-ClickHouse-Exception-Code")
	if match := codeText.FindStringSubmatch(e.text); code == "" && match != nil {
		code = match[1]
	}
	e.code, _ = strconv.Atoi(code) // 0 if there is none
	return e
}

// Codes of ClickHouse's errors.
var (
	codesOfAbsence   = []int{209, 210, 242, 279, 236, 999, 319, 285, 286, 225} // the server or its keeper stops, or cannot reach others
	codesOfLoad      = []int{202, 252, 203}                                    // too many queries or parts
	codesOfTime      = []int{159, 160}
	codesOfMemory    = []int{241}
	codesOfDisk      = []int{243, 75, 425}
	codesOfUser      = []int{192, 193, 194, 516}
	codesOfRights    = []int{164, 497, 291}
	codesOfDatabases = []int{81}
)

func hasCode(err error, codes []int) bool {
	var e *serverError
	return errors.As(err, &e) && slices.Contains(codes, e.code)
}

// isAway reports whether another host may answer.
func isAway(err error) bool {
	var away *awayError
	var answer *serverError
	if errors.As(err, &answer) {
		return answer.code == 0 && answer.status >= 500 || slices.Contains(codesOfAbsence, answer.code)
	}
	return errors.As(err, &away)
}

// isOpen reports whether a statement may have been executed although it failed.
func isOpen(err error) bool {
	var away *awayError
	if errors.As(err, &away) {
		return away.sent
	}
	return isAway(err)
}

// isDial reports whether an error means that no connection was made.
func isDial(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// hideURL returns the error without the URL, which has settings.
func hideURL(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// explain returns what an operator or client can do about an error of the
// database. Other errors are returned as they are.
func (c *client) explain(err error) error {
	busy := func(format string, args ...any) error { return fault.Busy(retryAfter, err, format, args...) }
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case isAway(err):
		return busy("The database of request logs is not available")
	case hasCode(err, codesOfLoad):
		return busy("The database of request logs is overloaded")
	case hasCode(err, codesOfDisk):
		return busy("The disk of the database of request logs is full")
	case hasCode(err, codesOfTime):
		return busy("The query takes longer than %s: use a shorter time range or longer texts", c.timeout)
	case hasCode(err, codesOfMemory):
		return busy("The query needs more memory than %d MB: use a shorter time range", c.memory>>20)
	case hasCode(err, codesOfUser):
		return busy("The database of request logs rejects the user or the password")
	case hasCode(err, codesOfRights):
		return busy("The user of the database of request logs lacks permissions")
	case hasCode(err, codesOfDatabases):
		return busy("The database of request logs does not exist")
	}
	return err
}

// errSlow is the cause of an attempt that took too long.
var errSlow = errors.New("ClickHouse takes too long")
