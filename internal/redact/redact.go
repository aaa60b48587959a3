// Package redact removes what must not be stored from the texts that clients
// send: addresses, numbers of cards, keys, and whatever the rules of a workspace
// describe. It knows texts and JSON; what they belong to is the caller's business.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"sync/atomic"
)

// Detector is a built-in description of something that can be recognized by its
// form.
type Detector string

// The detectors.
const (
	Email  Detector = "email"
	Phone  Detector = "phone"
	Card   Detector = "card"
	IBAN   Detector = "iban"
	Secret Detector = "secret"
	IP     Detector = "ip"
)

// Detectors are all of them, the most certain first: groups of digits in an account
// number look like a phone number.
var Detectors = []Detector{Email, Secret, IBAN, Card, IP, Phone}

// Action is what is put in the place of what a rule finds.
type Action string

// The actions.
const (
	// Mask puts the name of the rule in its place.
	Mask Action = "mask"
	// Hash puts the name of the rule and a keyed hash, which is equal for equal
	// texts of a workspace.
	Hash Action = "hash"
	// Drop puts nothing; a value that a path selects becomes null.
	Drop Action = "drop"
)

// Actions are all of them.
var Actions = []Action{Mask, Hash, Drop}

// Rule describes what to replace, by exactly one of Detector, Pattern and Path.
type Rule struct {
	// Name is unique in a list of rules, and what masks show.
	Name     string   `json:"name"`
	Detector Detector `json:"detector,omitempty"`
	// Pattern is a regular expression. It finds pieces of texts.
	Pattern string `json:"pattern,omitempty"`
	// Path selects whole values.
	Path     string `json:"path,omitempty"`
	Action   Action `json:"action"`
	Disabled bool   `json:"disabled,omitempty"`
}

// The kinds of rules without a detector.
const (
	kindPattern = "pattern"
	kindPath    = "path"
)

// Kinds are all kinds of rules.
func Kinds() []string {
	kinds := []string{kindPattern, kindPath}
	for _, d := range Detectors {
		kinds = append(kinds, string(d))
	}
	return kinds
}

// Kind returns what the rule matches by: the name of its detector, a pattern or a
// path.
func (r *Rule) Kind() string {
	switch {
	case r.Pattern != "":
		return kindPattern
	case r.Path != "":
		return kindPath
	default:
		return string(r.Detector)
	}
}

// Rules are the rules of a workspace, ready to be applied. They are safe for
// concurrent use. Nil rules replace nothing.
//
// Rules with a path come first and take whole values. Of the others, everything
// that any of them finds is replaced; where they overlap, by the first of them.
type Rules struct {
	list     []Rule
	counts   []*atomic.Int64
	finders  finders
	patterns []pattern
	paths    []path
	key      []byte
}

// pattern is the regular expression of a rule.
type pattern struct {
	rule       int
	expression *regexp.Regexp
	// prefix is a text with which everything it matches begins.
	prefix string
	// steps is the most work for each byte of a text.
	steps int
}

// Compile returns the rules of a list that Check accepts. The key makes the hashes
// of a workspace different from those of any other.
func Compile(list []Rule, key []byte) (*Rules, error) {
	r := &Rules{list: list, counts: make([]*atomic.Int64, len(list)), key: key}
	for i := range list {
		rule := &list[i]
		r.counts[i] = new(atomic.Int64)
		switch {
		case rule.Disabled:
		case rule.Pattern != "":
			compiled, err := compilePattern(rule.Pattern)
			if err != nil {
				return nil, err
			}
			compiled.rule = i
			r.patterns = append(r.patterns, compiled)
		case rule.Path != "":
			r.paths = append(r.paths, path{i, splitPath(rule.Path)})
		default:
			r.finders.add(rule.Detector, i)
		}
	}
	return r, nil
}

// Empty reports whether the rules replace nothing.
func (r *Rules) Empty() bool {
	return r == nil || !r.readsTexts() && len(r.paths) == 0
}

// readsTexts reports whether there are rules that find pieces of texts.
func (r *Rules) readsTexts() bool { return len(r.finders.list) > 0 || len(r.patterns) > 0 }

// replacement is what the rule puts in the place of a text.
func (r *Rules) replacement(rule int, text string) string {
	switch name := r.list[rule].Name; r.list[rule].Action {
	case Drop:
		return ""
	case Hash:
		return "[" + name + ":" + r.hash(text) + "]"
	default:
		return "[" + name + "]"
	}
}

// hashLength is the number of bytes of a hash that are shown: enough to tell the
// users of a workspace apart.
const hashLength = 8

func (r *Rules) hash(text string) string {
	mac := hmac.New(sha256.New, r.key)
	mac.Write([]byte(text)) // never fails
	return hex.EncodeToString(mac.Sum(nil)[:hashLength])
}
