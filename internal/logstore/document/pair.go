package document

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
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
func PairText(key, value string) string { return escapeKey(key) + PairEnd + value }

func escapeKey(key string) string { return strings.ReplaceAll(key, "\x00", "\x00\x01") }

// PairEnd separates the key of a pair from its value.
const PairEnd = "\x00\x00"

// SplitPair undoes PairText.
func SplitPair(pair string) (key, value string) {
	key, value, _ = strings.Cut(pair, PairEnd)
	return strings.ReplaceAll(key, "\x00\x01", "\x00"), value
}

// ValueHash returns a hash of a value of a field with keys, which differs between
// fields. It is stored, and must not change.
func ValueHash(field query.Field, key, value string) int64 {
	var d xxhash.Digest
	d.Reset()
	for _, part := range [...]string{string(field), PairEnd, escapeKey(key), PairEnd, value} {
		_, _ = d.WriteString(part) // never fails
	}
	return int64(d.Sum64())
}

// ValueHashes returns the hashes of the distinct values that a field of a log has.
func ValueHashes(f *query.FieldSpec, l *reqlog.Log) []int64 {
	pairs := f.Pairs(l)
	hashes := make([]int64, 0, len(pairs))
	for _, p := range pairs {
		if !p.Empty {
			hashes = append(hashes, ValueHash(f.Name, p.Key, p.Value))
		}
	}
	return distinct(hashes)
}

// fewHashes is the number up to which comparing all hashes is faster than sorting.
const fewHashes = 32

// distinct removes those that occur again.
func distinct(hashes []int64) []int64 {
	if len(hashes) > fewHashes {
		slices.Sort(hashes)
		return slices.Compact(hashes)
	}
	kept := hashes[:0]
	for _, h := range hashes {
		if !slices.Contains(kept, h) {
			kept = append(kept, h)
		}
	}
	return kept
}

// TextsHash returns a hash of a list of texts. It is stored, and must not change.
func TextsHash(texts []string) int64 {
	var d xxhash.Digest
	d.Reset()
	for _, text := range texts {
		_, _ = d.WriteString(escapeKey(text)) // never fails
		_, _ = d.WriteString(PairEnd)
	}
	return int64(d.Sum64())
}

// IntentMask stores the labels of an intent field as bits.
func IntentMask(f *query.FieldSpec, labels []string) int64 {
	var mask int64
	for _, label := range labels {
		if at := slices.Index(f.Values, label); at >= 0 {
			mask |= 1 << at
		}
	}
	return mask
}
