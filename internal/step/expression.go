package step

import (
	"context"
	"errors"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/promptuary/promptuary/internal/fault"
)

// expression is a regular expression of the kind that Python has, with
// lookaround and backreferences. Such expressions can take for ever, so all
// that is done with one has an end.
type expression struct {
	compiled *regexp2.Regexp
	names    map[string]int
	groups   int
}

const (
	maxPattern = 10_000
	// maxSearched bounds the text, since the memory of a search grows with it.
	maxSearched = 512 << 10
	// matchTime bounds the work on one text.
	matchTime = 2 * time.Second
)

// expression returns the regular expression under a key.
func (c *settings) expression(spellings ...string) *expression {
	text := c.text(spellings...)
	if c.err != nil {
		return nil
	}
	e, err := compileExpression(text)
	if err != nil {
		c.err = err
	}
	return e
}

func compileExpression(pattern string) (*expression, error) {
	if len(pattern) > maxPattern {
		return nil, fault.BadRequestf("regular expression is longer than %d characters", maxPattern)
	}
	translated, ok := translate(pattern)
	if !ok {
		return nil, fault.BadRequestf("invalid regular expression '%s'", shorten(pattern))
	}
	e := &expression{names: translated.names}
	err := guard(func() (err error) {
		e.compiled, err = regexp2.Compile(translated.out.String(), regexp2.None)
		return err
	})
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "invalid regular expression '%s'", shorten(pattern))
	}
	e.compiled.MatchTimeout = matchTime
	e.groups = len(e.compiled.GetGroupNumbers()) - 1 // besides the whole match
	return e, nil
}

// forText returns the compiled expression. It keeps the memory of its largest
// search, so a large text gets one of its own.
func (e *expression) forText(text string) (*regexp2.Regexp, error) {
	if len(text) < heavySize {
		return e.compiled, nil
	}
	fresh, err := regexp2.Compile(e.compiled.String(), regexp2.None)
	if err == nil {
		fresh.MatchTimeout = matchTime
	}
	return fresh, err
}

// matches reports whether the expression matches somewhere in the text.
func (e *expression) matches(ctx context.Context, text string) (found bool, err error) {
	if err := checkSearched(text); err != nil {
		return false, err
	}
	err = onText(ctx, text, func() error {
		compiled, err := e.forText(text)
		if err == nil {
			found, err = compiled.MatchString(text)
		}
		return err
	})
	return found, searchFailure(ctx, err)
}

// each calls yield for each match, until it fails.
func (e *expression) each(ctx context.Context, text string, yield func(*regexp2.Match) error) error {
	if err := checkSearched(text); err != nil {
		return err
	}
	var refused error
	err := onText(ctx, text, func() error {
		deadline := time.Now().Add(matchTime)
		compiled, err := e.forText(text)
		if err != nil {
			return err
		}
		match, err := compiled.FindStringMatch(text)
		for err == nil && match != nil {
			if refused = yield(match); refused != nil {
				return refused
			}
			if time.Now().After(deadline) {
				return errSlow
			}
			match, err = compiled.FindNextMatch(match)
		}
		return err
	})
	if refused != nil {
		return refused
	}
	return searchFailure(ctx, err)
}

var errSlow = errors.New("out of time")

// searchFailure returns what a user is told. The library's own error repeats
// the whole text and is left out.
func searchFailure(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errPanicked):
		return fault.Wrap(fault.BadRequest, err, "the regular expression cannot be evaluated")
	default:
		return failf("the regular expression takes longer than %v", matchTime)
	}
}

func checkSearched(text string) error {
	if len(text) > maxSearched {
		return failf("the text is larger than %d KiB, too large for a regular expression", maxSearched>>10)
	}
	return nil
}
