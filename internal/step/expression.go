package step

import (
	"fmt"
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
	maxSearched = 1 << 20
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
	e := &expression{names: translated.names, groups: translated.groups}
	err := guard(func() (err error) {
		e.compiled, err = regexp2.Compile(translated.out.String(), regexp2.None)
		return err
	})
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "invalid regular expression '%s'", shorten(pattern))
	}
	e.compiled.MatchTimeout = matchTime
	return e, nil
}

// guard turns a panic of a library that works on what users wrote into an
// error.
func guard(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	return work()
}

// matches reports whether the expression matches somewhere in the text.
func (e *expression) matches(text string) (found bool, err error) {
	if err := checkSearched(text); err != nil {
		return false, err
	}
	err = guard(func() error {
		found, err = e.compiled.MatchString(text)
		return err
	})
	return found, searchFailure(err)
}

// each calls yield for each match, until it fails.
func (e *expression) each(text string, yield func(*regexp2.Match) error) error {
	if err := checkSearched(text); err != nil {
		return err
	}
	deadline := time.Now().Add(matchTime)
	var refused error
	err := guard(func() error {
		match, err := e.compiled.FindStringMatch(text)
		for err == nil && match != nil {
			if refused = yield(match); refused != nil {
				return nil
			}
			if time.Now().After(deadline) {
				return errSlow
			}
			match, err = e.compiled.FindNextMatch(match)
		}
		return err
	})
	if refused != nil {
		return refused
	}
	return searchFailure(err)
}

var errSlow = fmt.Errorf("more than %v", matchTime)

func searchFailure(err error) error {
	if err == nil {
		return nil
	}
	return fault.Wrap(fault.BadRequest, err, "the regular expression takes too long")
}

func checkSearched(text string) error {
	if len(text) > maxSearched {
		return failf("the text is larger than %d MiB, too large for a regular expression", maxSearched>>20)
	}
	return nil
}
