package document

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// PairTexts returns the distinct pairs that have a value.
func PairTexts(pairs []reqlog.Pair) []string {
	texts := make([]string, 0, len(pairs))
	seen := make(map[string]struct{}, len(pairs))
	for _, p := range pairs {
		text := PairText(p.Key, p.Value)
		if _, twice := seen[text]; !twice && !p.Empty {
			seen[text] = struct{}{}
			texts = append(texts, text)
		}
	}
	return texts
}

// PairText joins a key and a value so that no other pair gives the same text,
// all values of a key share a prefix that no other key has, and texts sort by
// key, then by value. Two zero bytes end the key; a zero byte within the key
// is escaped.
func PairText(key, value string) string {
	return strings.ReplaceAll(key, "\x00", "\x00\x01") + PairEnd + value
}

// PairEnd separates the key of a pair from its value.
const PairEnd = "\x00\x00"

// SplitPair undoes PairText.
func SplitPair(pair string) (key, value string) {
	key, value, _ = strings.Cut(pair, PairEnd)
	return strings.ReplaceAll(key, "\x00\x01", "\x00"), value
}

// IntentMask stores the labels of an intent field as bits.
func IntentMask(f *reqlog.FieldSpec, labels []string) int64 {
	var mask int64
	for _, label := range labels {
		if at := slices.Index(f.Values, label); at >= 0 {
			mask |= 1 << at
		}
	}
	return mask
}
