package redact

import (
	"strconv"
	"strings"
)

// path is the path of a rule: keys that lead from a part of a log to a value.
// "*" stands for any key or index, "**" for any number of them.
type path struct {
	rule int
	keys []string
}

func splitPath(text string) []string { return strings.Split(text, ".") }

// pathRule returns the first rule whose path selects the value that keys lead to.
func (r *Rules) pathRule(keys []string) (rule int, ok bool) {
	for _, p := range r.paths {
		if selects(p.keys, keys) {
			return p.rule, true
		}
	}
	return 0, false
}

// selects reports whether a path leads to a value. "**" is tried with each number
// of keys it may stand for, as a wildcard of file names is, without recursion.
func selects(path, keys []string) bool {
	at, star, mark := 0, -1, 0
	for i := 0; i < len(keys); {
		switch {
		case at < len(path) && path[at] == "**":
			star, mark = at, i
			at++
		case at < len(path) && (path[at] == "*" || path[at] == keys[i]):
			at++
			i++
		case star >= 0:
			mark++
			at, i = star+1, mark
		default:
			return false
		}
	}
	for at < len(path) && path[at] == "**" {
		at++
	}
	return at == len(path)
}

// place is where in a call the pass is.
type place struct{ keys []string }

func (p *place) set(keys []string) { p.keys = append(p.keys[:0], keys...) }

func (p *place) push(key string) { p.keys = append(p.keys, key) }

func (p *place) pushIndex(i int) { p.push(strconv.Itoa(i)) }

func (p *place) pop() { p.keys = p.keys[:len(p.keys)-1] }

func (p *place) String() string { return strings.Join(p.keys, ".") }
