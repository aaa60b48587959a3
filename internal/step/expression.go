package step

import (
	"context"
	"errors"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/promptuary/promptuary/internal/fault"
)

// expression is a regular expression in the syntax of Python, with lookaround
// and backreferences. Matching can take exponential time, so it is limited.
type expression struct {
	matcher
	pattern string // for regexp2
	names   map[string]int
	groups  int
}

// matcher is a compiled expression.
type matcher struct {
	// plain finds the next match, further one that is not empty or does not begin
	// where the search began: this is how Python continues after an empty match.
	plain, further *regexp2.Regexp
}

const (
	maxPattern = 10_000
	// maxSearched limits the text, because the memory of a search grows with it.
	maxSearched = 512 << 10
	// matchTime limits the work on one text.
	matchTime = 2 * time.Second
)

// expression returns the regular expression under a key.
func (c *settings) expression(spellings ...string) *expression {
	text := c.text(spellings...)
	if c.failed() {
		return nil
	}
	e, err := compileExpression(text)
	if err != nil {
		c.fail("%s", err.Error())
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
	e := &expression{names: translated.names, pattern: translated.out.String()}
	err := guard(func() (err error) {
		e.matcher, err = compileMatcher(e.pattern)
		return err
	})
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "invalid regular expression '%s'", shorten(pattern))
	}
	e.groups = len(e.plain.GetGroupNumbers()) - 1 // besides the whole match
	return e, nil
}

func compileMatcher(pattern string) (m matcher, err error) {
	if m.plain, err = regexp2.Compile(pattern, regexp2.None); err != nil {
		return m, err
	}
	if m.plain.RightToLeft() {
		return m, errors.New("right-to-left search is not supported")
	}
	if m.further, err = regexp2.Compile("(?:"+pattern+`)(?!\G)`, regexp2.None); err != nil {
		// The pattern ends in a comment, which a line feed ends.
		m.further, err = regexp2.Compile("(?:"+pattern+"\n"+`)(?!\G)`, regexp2.None)
	}
	if err != nil {
		return m, err
	}
	m.plain.MatchTimeout, m.further.MatchTimeout = matchTime, matchTime
	return m, nil
}

// forText returns a matcher for the text. A matcher keeps the memory of its
// largest search, so a large text gets its own.
func (e *expression) forText(text string) (matcher, error) {
	if len(text) < heavySize {
		return e.matcher, nil
	}
	return compileMatcher(e.pattern)
}

// matches reports whether the expression matches somewhere in the text.
func (e *expression) matches(ctx context.Context, env *Env, text string) (found bool, err error) {
	if err := checkSearched(text); err != nil {
		return false, err
	}
	end, err := env.turn(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	err = guard(func() error {
		m, err := e.forText(text)
		if err == nil {
			found, err = m.plain.MatchString(text)
		}
		return err
	})
	return found, searchFailure(ctx, err)
}

// each calls yield for each match, until it fails.
func (e *expression) each(ctx context.Context, env *Env, text string, yield func(*regexp2.Match) error) error {
	if err := checkSearched(text); err != nil {
		return err
	}
	end, err := env.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	var refused error
	err = guard(func() error {
		m, err := e.forText(text)
		if err != nil {
			return err
		}
		return m.each([]rune(text), func(match *regexp2.Match) error {
			refused = yield(match)
			return refused
		})
	})
	if refused != nil {
		return refused
	}
	return searchFailure(ctx, err)
}

// each ranges over the matches like Python's findall.
func (m matcher) each(text []rune, yield func(*regexp2.Match) error) error {
	deadline := time.Now().Add(matchTime)
	for at, next := 0, m.plain; ; {
		match, err := next.FindRunesMatchStartingAt(text, at)
		if err != nil || match == nil {
			return err
		}
		if err := yield(match); err != nil {
			return err
		}
		if time.Now().After(deadline) {
			return errSlow
		}
		next = m.plain
		if match.Length == 0 {
			next = m.further
		}
		at = match.Index + match.Length
	}
}

var errSlow = errors.New("out of time")

// searchFailure returns the error for users. It omits the error of the library,
// which repeats the whole text.
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
