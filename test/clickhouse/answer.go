package main

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answer sends the result of a query.
func answer(w http.ResponseWriter, r *http.Request, found result) {
	header := w.Header()
	header.Set("X-ClickHouse-Summary", fmt.Sprintf(
		`{"read_rows":"%d","read_bytes":"%d","written_rows":"%d","written_bytes":"%d","elapsed_ns":"%d"}`,
		found.rowsRead, found.bytesRead, found.rowsWritten, found.bytesWritten, int64(found.seconds*1e9)))
	if r.URL.Query().Get("enable_http_compression") == "1" && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		compressor := gzip.NewWriter(w)
		_, _ = compressor.Write(found.data) // the client may be gone
		_ = compressor.Close()
		return
	}
	_, _ = w.Write(found.data)
}

// exception returns an error in the form of those of the engine.
func exception(code int, name, message string) error {
	return fmt.Errorf("Code: %d. DB::Exception: %s. (%s)", code, message, name) //nolint:staticcheck // the form of the engine
}

var codeOfException = regexp.MustCompile(`Code: (\d+)\.`)

// refuse sends an exception as a server does.
func refuse(w http.ResponseWriter, err error) {
	code := 1002 // UNKNOWN_EXCEPTION
	if parts := codeOfException.FindStringSubmatch(err.Error()); parts != nil {
		code, _ = strconv.Atoi(parts[1])
	}
	w.Header().Set("X-ClickHouse-Exception-Code", strconv.Itoa(code))
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	w.WriteHeader(statusOf(code))
	fmt.Fprintln(w, err)
}

// statuses are those that a server answers with for the codes of exceptions.
var statuses = map[int][]int{
	http.StatusUnauthorized:          {194},
	http.StatusForbidden:             {192, 193, 497, 512, 516},
	http.StatusBadRequest:            {6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 675, 676},
	http.StatusNotFound:              {46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511},
	http.StatusRequestEntityTooLarge: {229},
	http.StatusNotImplemented:        {48},
	http.StatusServiceUnavailable:    {76, 209, 439},
	http.StatusLengthRequired:        {381},
	http.StatusRequestTimeout:        {159},
}

func statusOf(code int) int {
	for status, codes := range statuses {
		if slices.Contains(codes, code) {
			return status
		}
	}
	return http.StatusInternalServerError
}

// authenticate identifies the user by headers, parameters or basic
// authentication.
func (f *front) authenticate(r *http.Request) (account, error) {
	name, password := r.Header.Get("X-ClickHouse-User"), r.Header.Get("X-ClickHouse-Key")
	if user, secret, ok := r.BasicAuth(); ok {
		name, password = user, secret
	} else if values := r.URL.Query(); values.Has("user") {
		name, password = values.Get("user"), values.Get("password")
	}
	user, ok := f.users[first(name, "default")]
	if !ok || user.password != password {
		return account{}, exception(516, "AUTHENTICATION_FAILED",
			first(name, "default")+": Authentication failed: password is incorrect, or there is no user with such name")
	}
	return user, nil
}
