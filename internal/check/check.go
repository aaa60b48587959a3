// Package check has assertions and waits that the tests of many packages share.
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

// OK fails the test immediately if there is an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// Must returns the value of a call that must succeed: Must(call())(t).
func Must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// Failure returns the error of a call and ignores its value.
func Failure[T any](_ T, err error) error { return err }

// Equal fails the test unless got equals want.
func Equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Fault fails the test unless err is a fault of the given kind.
func Fault(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("got error %v (kind %d), want kind %d", err, fault.KindOf(err), kind)
	}
}

// Refused fails the test unless err is a fault with the given kind and message.
func Refused(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != kind || f.Message != message {
		t.Errorf("got error %v (kind %d), want %q (kind %d)", err, fault.KindOf(err), message, kind)
	}
}

// JSON parses JSON written in a test.
func JSON(text string) jsontree.Value {
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprint(err, " in ", text))
	}
	return v
}

// Together calls do n times concurrently and returns the errors.
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
