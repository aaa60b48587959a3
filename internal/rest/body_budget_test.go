package rest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/rest"
)

type noteInput struct {
	Text string `json:"text" doc:"A text of any length."`
}

type noteOutput struct {
	Length int `json:"length" doc:"The length of the text."`
}

// noteServer has a budget of 100 KB for bodies. The size of a note that starts with
// "hold" is sent to arrived, and the response waits until answer is closed.
func noteServer(t *testing.T, arrived chan<- int, answer <-chan struct{}) *httptest.Server {
	t.Helper()
	op := rest.Op{
		Method: http.MethodPost, Path: "/notes", ID: "addNote", Summary: "Add a note", Tag: "Notes", Auth: rest.AuthNone,
		Description: "Adds a note.",
		Handler: rest.Handle(func(_ context.Context, in *noteInput) (*noteOutput, error) {
			if strings.HasPrefix(in.Text, "hold") {
				arrived <- len(in.Text)
				<-answer
			}
			return &noteOutput{len(in.Text)}, nil
		}),
	}
	router, err := rest.New([]rest.Op{op}, rest.Options{BodyMemory: 100 << 10, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	return server
}

// sendNote sends a note and returns the status and Retry-After of the response. The
// length of the body is declared if the reader has one.
func sendNote(t *testing.T, server *httptest.Server, body io.Reader, packed bool) (status int, retryAfter string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/notes", body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if packed {
		request.Header.Set("Content-Encoding", "gzip")
	}
	response, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Retry-After")
}

func note(size int) string { return `{"text":"` + strings.Repeat("a", size) + `"}` }

// holdNote keeps a note of the size in progress until the returned function is
// called.
func holdNote(t *testing.T, size int) (server *httptest.Server, release func()) {
	t.Helper()
	arrived, answer, held := make(chan int), make(chan struct{}), make(chan int)
	server = noteServer(t, arrived, answer)
	go func() {
		response, err := server.Client().Post(server.URL+"/notes", "application/json",
			strings.NewReader(`{"text":"hold`+strings.Repeat("a", size)+`"}`))
		if err != nil {
			held <- 0
			return
		}
		_ = response.Body.Close()
		held <- response.StatusCode
	}()
	<-arrived
	return server, func() {
		t.Helper()
		close(answer)
		if got := <-held; got != http.StatusOK {
			t.Errorf("held note: status = %d", got)
		}
	}
}

func TestBodyBudget(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := io.WriteString(zip, note(90<<10)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	bodies := []struct {
		name   string
		open   func() io.Reader
		packed bool
		status int // while the budget is used up
	}{
		{"of a known length", func() io.Reader { return strings.NewReader(note(90 << 10)) }, false, 503},
		{"of an unknown length", func() io.Reader { return io.MultiReader(strings.NewReader(note(90 << 10))) }, false, 503},
		{"packed", func() io.Reader { return bytes.NewReader(packed.Bytes()) }, true, 503},
		{"larger than the budget", func() io.Reader { return strings.NewReader(note(2 << 20)) }, false, 503},
		{"of many values", func() io.Reader {
			return strings.NewReader(`{"text":"a","more":[` + strings.Repeat("1,", 10<<10) + `1]}`)
		}, false, 503},
		{"small", func() io.Reader { return strings.NewReader(note(10 << 10)) }, false, 200},
	}
	server, release := holdNote(t, 60<<10)
	for _, body := range bodies {
		status, retryAfter := sendNote(t, server, body.open(), body.packed)
		if status != body.status {
			t.Errorf("%s, while the budget is used up: status = %d, want %d", body.name, status, body.status)
		}
		if status == http.StatusServiceUnavailable && retryAfter == "" {
			t.Errorf("%s: no Retry-After", body.name)
		}
	}
	release()
	// Everything was released, by rejected bodies too. A body larger than the
	// whole budget is accepted if it is alone.
	for _, body := range bodies {
		if got, _ := sendNote(t, server, body.open(), body.packed); got != http.StatusOK {
			t.Errorf("%s, when the budget is free: status = %d", body.name, got)
		}
	}
}
