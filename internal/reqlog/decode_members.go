package reqlog

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// Maximum lengths of texts, in characters.
const (
	maxTagLength          = 512
	maxMetadataKeyLength  = 1024
	maxErrorMessageLength = 1024
)

// DecodeMetadata reads the member metadata of a body: any values under keys of
// limited length, with a limit on their total number and size. The values are
// slices of the text that the body was parsed from.
func DecodeMetadata(body jsontree.Value, loc []any, problems *fault.Problems) []Member {
	r := shape.New(loc, problems)
	return logDecoder{shape.Object{Reader: &r, Value: body}}.metadata()
}

// tags reads distinct strings in the order of first occurrence.
func (d logDecoder) tags() []string {
	list := d.Member("tags", jsontree.Array)
	if list.Len() == 0 {
		return nil
	}
	d.Enter("tags")
	tags := shape.List(d.Reader, list, math.MaxInt, func(v jsontree.Value) string {
		tag, _ := d.Reader.Text(v, 0, maxTagLength)
		return tag
	})
	d.Leave()
	return distinct(tags)
}

func (d logDecoder) metadata() []Member {
	object := d.Member("metadata", jsontree.Object)
	if object.Len() == 0 {
		return nil
	}
	members := make([]Member, 0, object.Len())
	for key, v := range object.Members() {
		if len(key) > maxMetadataKeyLength && utf8.RuneCountInString(key) > maxMetadataKeyLength {
			d.ReportAt("metadata", fault.Rulef("string_too_long", "Keys should have at most %d characters", maxMetadataKeyLength))
			return nil
		}
		members = append(members, Member{Key: key, Value: v.Raw()})
	}
	if repeatsKey(members) {
		members = MergeMembers(nil, members)
	}
	if len(object.Raw()) > alwaysFlat && tooMany(members) {
		d.ReportAt("metadata", fault.Rulef("too_long", "Object should have at most %d values and %d bytes of keys", MaxPairs, maxKeyBytes))
	}
	return members
}

// alwaysFlat is the length of a JSON text that cannot exceed the limits when
// flattened: n values take at least 2n bytes, which leaves the rest for the
// path that they repeat, so the paths have at most an eighth of its square in
// total, 2 MiB.
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
	Statuses = []string{StatusSuccess, StatusWarning, StatusError}

	ErrorTypes = []string{
		"PROVIDER_TIMEOUT", "PROVIDER_QUOTA_LIMIT", "PROVIDER_RATE_LIMIT", "PROVIDER_PARTIAL_RESPONSE",
		"PROVIDER_AUTH_ERROR", "PROVIDER_ERROR", "TEMPLATE_RENDER_ERROR", "VARIABLE_MISSING_OR_EMPTY",
		"UNKNOWN_ERROR",
	}
	// errorStatuses maps each type of error to its valid statuses.
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
// truncated if cut is set, otherwise rejected.
func (d logDecoder) outcome(cut bool) (status, errorType, message string) {
	status = shape.Choice(d.Object, "status", Statuses)
	known := status != "" || !d.Given("status")
	status = cmp.Or(status, StatusSuccess)
	errorType = shape.Choice(d.Object, "error_type", ErrorTypes)
	if known && errorType != "" && !slices.Contains(errorStatuses[errorType], status) {
		d.ReportAt("error_type", fault.Rulef("value_error", "Input should not be %s when the status is %s", errorType, status))
	}
	if !cut {
		return status, errorType, d.Text("error_message", 0, maxErrorMessageLength)
	}
	return status, errorType, firstCharacters(d.String("error_message"), maxErrorMessageLength)
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
