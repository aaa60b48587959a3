package playground_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	id := w.publish("kindly", "dear {name}")
	request := saying("Hello @@@kindly@@@ and {other}")
	request.Prompt = reqlog.PromptRef{Name: "kindly"}
	heard := newListener()
	got := check.Must(w.Run(access.AsSystem(t.Context()), w.workspace, request, heard))(t)
	check.Equal(t, "pieces", heard.pieces, []playground.Piece{{Text: "Hello dear Ann and "}})
	check.Equal(t, "whom", []string{got.Provider, got.Model, got.FinishReason}, []string{"openai", "gpt-4o-mini", "stop"})
	if !strings.Contains(got.Warning, "`other`") {
		t.Errorf("the warning is %q", got.Warning)
	}
	logs := w.logged(w.workspace)
	check.Equal(t, "log", []int64{logs[0].ID, logs[0].Prompt.ID, logs[0].Prompt.Version}, []int64{got.RequestID, id, 1})
	check.Equal(t, "tags", logs[0].Tags, []string{playground.Tag})
}

// TestRejectedRequests covers requests that are rejected before a call.
func TestRejectedRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	other := check.Must(w.catalog.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "away"))(t).ID
	w.publish("kindly", "dear")
	caller := func(held ...access.Permission) context.Context {
		return access.WithCaller(t.Context(), access.Caller{KeyID: 1, Workspace: w.workspace, Permissions: access.SetOf(held...)})
	}
	linked, model := saying("x"), saying("x")
	linked.Prompt = reqlog.PromptRef{Name: "kindly", Version: 2}
	model.Content.Metadata = nil
	for name, test := range map[string]struct {
		ctx       context.Context
		workspace int64
		request   playground.Request
		want      fault.Kind
	}{
		"only logs":               {caller(access.RequestCreate), w.workspace, saying("x"), fault.Forbidden},
		"only edits":              {caller(access.PromptEdit), w.workspace, saying("x"), fault.Forbidden},
		"a version that is not":   {access.AsSystem(t.Context()), w.workspace, linked, fault.NotFound},
		"no model":                {access.AsSystem(t.Context()), w.workspace, model, fault.BadRequest},
		"no key in the workspace": {access.AsSystem(t.Context()), other, saying("x"), fault.BadRequest},
		"given up already":        {ended(), w.workspace, saying("x"), fault.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			heard := newListener()
			answer, err := w.Run(test.ctx, test.workspace, test.request, heard)
			if err == nil || fault.KindOf(err) != test.want || errors.As(err, new(*playground.FailedError)) {
				t.Errorf("Run = %v, %v", answer, err)
			}
			check.Equal(t, "called Begin", heard.begun(), false)
		})
	}
	check.Equal(t, "logs", len(w.logged(w.workspace))+len(w.logged(other)), 0)
}

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(access.AsSystem(context.Background()))
	cancel()
	return ctx
}

// TestKeyDeletedDuringCall deletes the key after Begin.
func TestKeyDeletedDuringCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	heard := newListener()
	heard.begin = func() {
		check.OK(t, w.envVars.Delete(access.AsSystem(t.Context()), envvar.Scope{Workspace: w.workspace}, w.keyID))
	}
	_, err := w.Run(access.AsSystem(t.Context()), w.workspace, saying("x"), heard)
	var failed *playground.FailedError
	if !errors.As(err, &failed) || failed.Type != provider.TypeAuth || failed.RequestID != 0 || !provider.NotConfigured(err) {
		t.Errorf("failed with %#v", err)
	}
	check.Equal(t, "logs", len(w.logged(w.workspace)), 0)
}

// TestPromptDeletedDuringCall deletes the prompt of the log while the model
// answers.
func TestPromptDeletedDuringCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	id := w.publish("kindly", "dear")
	w.before = func(*http.Request) {
		if _, err := w.catalog.Entities.SoftDelete(access.AsSystem(context.Background()), w.workspace, []int64{id}); err != nil {
			t.Error(err)
		}
	}
	request := saying("x")
	request.Prompt = reqlog.PromptRef{Name: "kindly"}
	got := check.Must(w.Run(access.AsSystem(t.Context()), w.workspace, request, newListener()))(t)
	logs := w.logged(w.workspace)
	if len(logs) != 1 || logs[0].ID != got.RequestID || logs[0].Prompt != nil {
		t.Errorf("logged %+v", logs)
	}
}

func TestLogCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err      error
		times    int64
		logged   int
		reported bool
	}{
		"for a moment": {fault.Busy(time.Millisecond, nil, "full"), 2, 1, false},
		"at all":       {errors.New("the disk is gone"), 1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 0, 0)
			w.store.err = test.err
			w.store.left.Store(test.times)
			got := check.Must(w.Run(access.AsSystem(t.Context()), w.workspace, saying("Hello"), newListener()))(t)
			check.Equal(t, "logs", len(w.logged(w.workspace)), test.logged)
			check.Equal(t, "has a log", got.RequestID != 0, test.logged == 1)
			check.Equal(t, "failure is logged", strings.Contains(w.output.String(), "was not logged"), test.reported)
		})
	}
}

// TestPlaces takes all places of a workspace, then all places.
func TestPlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3, 2)
	other := check.Must(w.catalog.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "away"))(t).ID
	w.setKey(other)
	leave := make(chan struct{})
	w.before = func(*http.Request) { <-leave }
	var group sync.WaitGroup
	start := func(workspace int64) {
		heard := newListener()
		group.Go(func() {
			if _, err := w.Run(access.AsSystem(t.Context()), workspace, saying("x"), heard); err != nil {
				t.Error(err)
			}
		})
		<-heard.began
	}
	refused := func(workspace int64, want fault.Kind) {
		t.Helper()
		_, err := w.Run(access.AsSystem(t.Context()), workspace, saying("x"), newListener())
		var busy *fault.Error
		if !errors.As(err, &busy) || busy.Kind != want || busy.RetryAfter <= 0 {
			t.Errorf("Run = %v, want kind %d", err, want)
		}
	}
	start(w.workspace)
	start(w.workspace)
	refused(w.workspace, fault.RateLimited)
	start(other)
	refused(other, fault.Unavailable)
	close(leave)
	group.Wait()
	check.Must(w.Run(access.AsSystem(t.Context()), w.workspace, saying("x"), newListener()))(t)
	check.Equal(t, "logs", []int{len(w.logged(w.workspace)), len(w.logged(other))}, []int{3, 1})
}

// TestClose closes the playground while a model is silent. The call is
// cancelled and logged before Close returns.
func TestClose(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	silent := make(chan struct{})
	w.before = func(r *http.Request) {
		close(silent)
		<-r.Context().Done()
	}
	outcome := make(chan error, 1)
	go func() {
		_, err := w.Run(access.AsSystem(context.Background()), w.workspace, saying("x"), newListener())
		outcome <- err
	}()
	<-silent
	check.OK(t, w.Close(access.AsSystem(t.Context())))
	check.Equal(t, "logs", len(w.logged(w.workspace)), 1)
	var failed *playground.FailedError
	if err := <-outcome; !errors.As(err, &failed) || !errors.Is(err, context.Canceled) || failed.RequestID != w.logged(w.workspace)[0].ID {
		t.Errorf("failed with %v", err)
	}
	if _, err := w.Run(access.AsSystem(t.Context()), w.workspace, saying("x"), newListener()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("one more failed with %v", err)
	}
}

// TestCloseDoesNotWaitForever closes a playground whose call cannot be
// logged.
func TestCloseDoesNotWaitForever(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0, 0)
	leave := make(chan struct{})
	heard := newListener()
	heard.begin = func() { <-leave }
	var group sync.WaitGroup
	group.Go(func() { _, _ = w.Run(access.AsSystem(context.Background()), w.workspace, saying("x"), heard) })
	<-heard.began
	if err := w.Close(ended()); !errors.Is(err, context.Canceled) {
		t.Errorf("Close = %v", err)
	}
	close(leave)
	group.Wait()
}
