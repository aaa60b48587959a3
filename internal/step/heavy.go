package step

import (
	"context"
	"errors"
	"fmt"
)

// heavySlots bounds, for the whole process, how many large texts libraries work
// on at once: the memory that this takes is many times the text.
var heavySlots = make(chan struct{}, 2)

// heavySize is from which size on a text is large.
const heavySize = 32 << 10

// onText does a library's work on a text. It waits for its turn when the text
// is large, and turns a panic, which users' texts may lead a library to, into
// an error.
func onText(ctx context.Context, text string, work func() error) error {
	if len(text) < heavySize {
		return guard(work)
	}
	select {
	case heavySlots <- struct{}{}:
		defer func() { <-heavySlots }()
		return guard(work)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errPanicked is in the chain of what guard makes of a panic.
var errPanicked = errors.New("the library gave up")

func guard(work func() error) (err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("%w: %w", errPanicked, cause)
		default:
			err = fmt.Errorf("%w: %v", errPanicked, cause)
		}
	}()
	return work()
}
