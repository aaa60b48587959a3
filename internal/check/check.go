// Package check has the words that tests of many packages share: what must not
// fail, what must be equal, what must be refused, and waiting.
package check

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// OK ends the test when there is an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// Must returns the value of a call that has to succeed: Must(call())(t).
func Must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// Failure returns the error of a call whose value does not matter.
func Failure[T any](_ T, err error) error { return err }

// Equal fails the test unless it got what it wants.
func Equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Fault fails the test unless err is a fault of the kind.
func Fault(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("got the error %v (kind %d), want one of kind %d", err, fault.KindOf(err), kind)
	}
}

// Refused fails the test unless err is a fault of the kind with the message.
func Refused(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != kind || f.Message != message {
		t.Errorf("got the error %v (kind %d), want %q (kind %d)", err, fault.KindOf(err), message, kind)
	}
}

// JSON returns JSON that the test itself wrote.
func JSON(text string) jsontree.Value {
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprint(err, " in ", text))
	}
	return v
}

// Together calls do n times at the same moment and returns what it returned.
func Together(n int, do func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	calls.Wait()
	return errs
}
