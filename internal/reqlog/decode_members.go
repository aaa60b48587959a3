package reqlog

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// The longest texts a client may send, in characters.
const (
	maxTagLength          = 512
	maxMetadataKeyLength  = 1024
	maxErrorMessageLength = 1024
)

// DecodeMetadata reads the member metadata of a body: any values under keys of
// bounded length, not more in all than can be indexed. The values are slices
// of the text that the body was parsed from.
func DecodeMetadata(body jsontree.Value, loc []any, problems *fault.Problems) []Member {
	return logDecoder{bodyReader{body, loc, problems}}.metadata()
}

// tags reads distinct strings in the order of first mention.
func (d logDecoder) tags() []string {
	list := d.member("tags", jsontree.Array)
	if list.Len() == 0 {
		return nil
	}
	tags := make([]string, 0, list.Len())
	for i, v := range list.Elems() {
		tag := v.Str()
		switch {
		case v.Kind() != jsontree.String:
			d.problems.Add(fault.At(d.loc, "tags", i), "string_type", "must be a string, not %s", v.Kind())
		case longerThan(tag, maxTagLength):
			d.problems.Add(fault.At(d.loc, "tags", i), "string_too_long", "must have at most %d characters", maxTagLength)
		default:
			tags = append(tags, tag)
		}
	}
	return distinct(tags)
}

// longerThan counts characters only where the bytes leave a doubt.
func longerThan(text string, most int) bool {
	return len(text) > most && utf8.RuneCountInString(text) > most
}

func (d logDecoder) metadata() []Member {
	object := d.member("metadata", jsontree.Object)
	if object.Len() == 0 {
		return nil
	}
	members := make([]Member, 0, object.Len())
	for key, v := range object.Members() {
		if longerThan(key, maxMetadataKeyLength) {
			d.refuse("metadata", "string_too_long", "keys must have at most %d characters", maxMetadataKeyLength)
			return nil
		}
		members = append(members, Member{Key: key, Value: v.Raw()})
	}
	if repeatsKey(members) {
		members = MergeMembers(nil, members)
	}
	if len(object.Raw()) > alwaysFlat && tooMany(members) {
		d.refuse("metadata", "too_long", "must not hold more than %d values or %d bytes of keys", MaxPairs, maxKeyBytes)
	}
	return members
}

// alwaysFlat is a length of JSON text that cannot flatten into too much: n
// values take at least 2n bytes, which leaves the rest for the path that they
// repeat, so the paths together have at most an eighth of its square, 2 MiB.
const alwaysFlat = 4096

func repeatsKey(members []Member) bool {
	if len(members) > smallObject {
		return true // maybe; merging finds out
	}
	for i, m := range members {
		if slices.ContainsFunc(members[:i], func(other Member) bool { return other.Key == m.Key }) {
			return true
		}
	}
	return false
}

var (
	statuses = []string{StatusSuccess, StatusWarning, StatusError}

	errorTypes = []string{
		"PROVIDER_TIMEOUT", "PROVIDER_QUOTA_LIMIT", "PROVIDER_RATE_LIMIT", "PROVIDER_PARTIAL_RESPONSE",
		"PROVIDER_AUTH_ERROR", "PROVIDER_ERROR", "TEMPLATE_RENDER_ERROR", "VARIABLE_MISSING_OR_EMPTY",
		"UNKNOWN_ERROR",
	}
	// errorStatuses says with which statuses each type of error goes.
	errorStatuses = map[string][]string{
		"PROVIDER_TIMEOUT":          {StatusError},
		"PROVIDER_QUOTA_LIMIT":      {StatusWarning, StatusError},
		"PROVIDER_RATE_LIMIT":       {StatusWarning, StatusError},
		"PROVIDER_PARTIAL_RESPONSE": {StatusWarning},
		"PROVIDER_AUTH_ERROR":       {StatusError},
		"PROVIDER_ERROR":            {StatusError},
		"TEMPLATE_RENDER_ERROR":     {StatusError},
		"VARIABLE_MISSING_OR_EMPTY": {StatusWarning},
		"UNKNOWN_ERROR":             {StatusWarning, StatusError},
	}
)

// outcome reads how the request ended. An error message that is too long is
// cut if cut says so, otherwise refused.
func (d logDecoder) outcome(cut bool) (status, errorType, message string) {
	status = d.oneOf("status", statuses)
	known := status != "" || !d.given("status")
	status = cmp.Or(status, StatusSuccess)
	errorType = d.oneOf("error_type", errorTypes)
	if known && errorType != "" && !slices.Contains(errorStatuses[errorType], status) {
		d.refuse("error_type", "value_error", "%s does not go with the status %s", errorType, status)
	}
	if !cut {
		return status, errorType, d.text("error_message", 0, maxErrorMessageLength)
	}
	return status, errorType, firstCharacters(d.text("error_message", 0, math.MaxInt), maxErrorMessageLength)
}

// oneOf returns one of the words, without a copy of it.
func (d logDecoder) oneOf(key string, words []string) string {
	v := d.object.Get(key)
	for _, word := range words {
		if says(v, word) {
			return word
		}
	}
	return d.choice(key, words) // which says what is wrong, if anything is
}

func firstCharacters(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
