package step

import (
	"context"
	"errors"
	"fmt"
)

// heavySize is the minimum size of a large text, for which libraries use many
// times its memory.
const heavySize = 32 << 10

// turn waits for the turn of the workspace to run an expression or a path. The size
// of the text does not matter: (a*)*b takes seconds for 26 letters. The caller must
// call end when the work is done.
func (e *Env) turn(ctx context.Context) (end func(), err error) {
	if e.Turn == nil {
		return func() {}, nil
	}
	if end, err = e.Turn(ctx); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return end, err
}

// errPanicked is wrapped by the errors that guard returns for panics.
var errPanicked = errors.New("the library panicked")

// guard runs work of a library and turns its panic into an error.
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
