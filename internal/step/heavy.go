package step

import (
	"context"
	"errors"
	"fmt"
)

// heavySlots limits how many large texts the process works on concurrently:
// the libraries use many times the memory of the text.
var heavySlots = make(chan struct{}, 2)

// heavySize is the minimum size of a large text.
const heavySize = 32 << 10

// onText runs work of a library on a text. It waits for a slot if the text is
// large, and turns a panic of the library into an error.
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

// errPanicked is wrapped by the errors that guard returns for panics.
var errPanicked = errors.New("the library panicked")

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
