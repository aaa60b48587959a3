package pricing

import (
	"regexp"
	"strings"
)

// The ways in which a price can match a model, the best first.
const (
	matchesName = iota
	matchesRelease
	matchesPattern
	matchesNothing
)

// release matches the suffix of a release of a model, as in
// gpt-4o-2024-08-06, claude-sonnet-4@20250514 or nova-pro-v1:0.
var release = regexp.MustCompile(`^[-@:](?:\d{3,4}|\d{6,8}|\d{4}-\d{2}-\d{2}|latest|preview.*|exp.*|(?:\d{8}-)?v\d+(?::\d+)?)$`)

// match returns how the model of a price matches a name. Both are in lower
// case.
func match(model, name string) int {
	if strings.Contains(model, "*") {
		if glob(model, name) {
			return matchesPattern
		}
		return matchesNothing
	}
	rest, ok := strings.CutPrefix(name, model)
	switch {
	case !ok:
		return matchesNothing
	case rest == "":
		return matchesName
	case release.MatchString(rest):
		return matchesRelease
	default:
		return matchesNothing
	}
}

// glob reports whether a name matches a pattern with stars.
func glob(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	rest, ok := strings.CutPrefix(name, first)
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// region matches the region in the name of an inference profile of Bedrock.
var region = regexp.MustCompile(`^(?:us|us-gov|eu|apac|jp|au|ca|global)\.`)

// namesOf returns the names under which a model is looked up, in lower case: as
// logged, without the path before it, and for Bedrock without region and
// vendor.
func namesOf(model string) []string {
	model = strings.ToLower(model)
	names := []string{model}
	if at := strings.LastIndexByte(model, '/'); at >= 0 {
		names = append(names, model[at+1:])
	}
	name := names[len(names)-1]
	if short := region.ReplaceAllString(name, ""); short != name {
		names, name = append(names, short), short
	}
	if short, ok := strings.CutPrefix(name, "anthropic."); ok {
		names = append(names, short)
	}
	return names
}
