package clickhousetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// Away closes the connection, as a server that is down does.
func Away(*Proxy, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Hangs never answers: it waits until the client goes away or the proxy is
// closed. The server does not get the request.
func Hangs(p *Proxy, _ http.ResponseWriter, r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-p.closed:
	}
	panic(http.ErrAbortHandler)
}

// LosesAnswer lets the server do its work, and closes the connection instead of
// answering.
func LosesAnswer(p *Proxy, _ http.ResponseWriter, r *http.Request) {
	p.forward.ServeHTTP(httptest.NewRecorder(), r)
	panic(http.ErrAbortHandler)
}

// HangsAfterwards lets the server do its work, and never answers.
func HangsAfterwards(p *Proxy, w http.ResponseWriter, r *http.Request) {
	p.forward.ServeHTTP(httptest.NewRecorder(), r)
	Hangs(p, w, r)
}

// BreaksOff lets the server do its work, and closes the connection in the middle of
// the answer.
func BreaksOff(p *Proxy, w http.ResponseWriter, r *http.Request) {
	recorder := httptest.NewRecorder()
	p.forward.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
	_, _ = w.Write(body[:len(body)/2])
	_ = http.NewResponseController(w).Flush() // the client notices either way
	panic(http.ErrAbortHandler)
}

// ReadOnly lets the server refuse changes, with the exception that it throws at
// users who may only read.
func ReadOnly(p *Proxy, w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	values.Set("readonly", "2")
	r.URL.RawQuery = values.Encode()
	p.forward.ServeHTTP(w, r)
}

// Throws answers with an exception of the server: its code, its name and a
// message.
func Throws(status, code int, name, message string) Fault {
	return func(_ *Proxy, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-ClickHouse-Exception-Code", strconv.Itoa(code))
		w.WriteHeader(status)
		fmt.Fprintf(w, "Code: %d. DB::Exception: %s. (%s)\n", code, message, name)
	}
}

// Fails answers with the status 500 and no exception, as a broken proxy does.
func Fails(_ *Proxy, w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "internal server error", http.StatusInternalServerError)
}

// DiskFull answers as a server whose disk is full.
var DiskFull = Throws(http.StatusInternalServerError, 243, "NOT_ENOUGH_SPACE", "Cannot reserve 1.00 MiB, not enough space")

// Answers answers with a text, such as the version of an old server to the query
// that asks for it.
func Answers(text string) Fault {
	return func(_ *Proxy, w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}
