package step

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dlclark/regexp2"

	"github.com/promptuary/promptuary/internal/check"
)

func TestTurn(t *testing.T) {
	t.Parallel()
	env := &Env{Turn: func(ctx context.Context) (func(), error) {
		<-ctx.Done()
		return nil, errors.New("a cause")
	}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := env.turn(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the step did not wait: %v", err)
	}
	end, err := (&Env{}).turn(ctx)
	check.OK(t, err)
	end()
}

// TestPanicEndsTurn panics while an expression is at work on a large text.
func TestPanicEndsTurn(t *testing.T) {
	t.Parallel()
	ended := 0
	env := &Env{Turn: func(context.Context) (func(), error) { return func() { ended++ }, nil }}
	pattern := check.Must(compileExpression("x"))(t)
	err := pattern.each(t.Context(), env, strings.Repeat("x", heavySize), func(*regexp2.Match) error { panic("broken") })
	if !errors.Is(err, errPanicked) {
		t.Errorf("the panic became %v", err)
	}
	check.Equal(t, "turns that ended", ended, 1)
}
