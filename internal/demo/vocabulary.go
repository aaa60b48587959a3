package demo

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// vocabularySize is the number of distinct words. Every log adds its identifier
// to the terms of a text index.
const vocabularySize = 150_000

// vocabulary draws words with the frequencies of a natural language.
type vocabulary struct {
	letters []byte
	// ends contains the end of each word in letters, where the next one begins.
	ends  []uint32
	table []aliasEntry
}

// aliasEntry is a column of Walker's alias method: it selects its own index
// below the cut and the alias above.
type aliasEntry struct{ cut, alias uint32 }

func newVocabulary(seed uint64) *vocabulary {
	words := makeWords(rand.New(rand.NewPCG(seed, seed)))
	v := &vocabulary{ends: make([]uint32, len(words))}
	for i, w := range words {
		v.letters = append(v.letters, w...)
		v.ends[i] = uint32(len(v.letters))
	}
	v.table = aliasTable(frequencies(words))
	return v
}

// rareShare is the share of words in a text that are not common words.
const rareShare = 0.12

// frequencies returns the frequency of each word. Among the common words, and
// among the others, it is about proportional to 1/rank.
func frequencies(words []string) []float64 {
	common := 0
	for common < len(words) && slices.Contains(commonWords, words[common]) {
		common++
	}
	weights := make([]float64, len(words))
	zipf(weights[:common], 2.7, 1-rareShare)
	zipf(weights[common:], 50, rareShare)
	return weights
}

// zipf sets weights that fall with the rank and add up to total.
func zipf(weights []float64, offset, total float64) {
	sum := 0.0
	for i := range weights {
		weights[i] = 1 / (float64(i) + offset)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] *= total / sum
	}
}

// particles is the number of leading common words that carry no meaning.
const particles = 30

// draw returns the index selected by the random bits u.
func draw(table []aliasEntry, u uint64) int {
	at, _ := bits.Mul64(u, uint64(len(table)))
	// The low half of u is almost independent of the selected column.
	if uint32(u) >= table[at].cut {
		return int(table[at].alias)
	}
	return int(at)
}

// appendWord appends the word with the given rank.
func (v *vocabulary) appendWord(dst []byte, at int) []byte {
	start := uint32(0)
	if at > 0 {
		start = v.ends[at-1]
	}
	return append(dst, v.letters[start:v.ends[at]]...)
}

// makeWords returns the vocabulary by rank: common words, words derived from
// stems, and random words.
func makeWords(rng *rand.Rand) []string {
	seen := make(map[string]bool, vocabularySize)
	words := make([]string, 0, vocabularySize)
	add := func(w string) {
		if !seen[w] && len(words) < vocabularySize {
			seen[w] = true
			words = append(words, w)
		}
	}
	for _, w := range commonWords {
		add(w)
	}
	derived := derivedWords()
	rng.Shuffle(len(derived), func(i, j int) { derived[i], derived[j] = derived[j], derived[i] })
	for _, w := range derived {
		add(w)
	}
	for len(words) < vocabularySize {
		add(madeUpWord(rng))
	}
	return words
}

func derivedWords() []string {
	var words []string
	for _, stem := range stems {
		for _, suffix := range slices.Concat([]string{""}, suffixes) {
			words = append(words, stem+suffix)
			for _, prefix := range prefixes {
				words = append(words, prefix+stem+suffix)
			}
		}
	}
	return words
}

func madeUpWord(rng *rand.Rand) string {
	word := ""
	for range 2 + rng.IntN(2) {
		word += pick(rng, onsets) + pick(rng, nuclei)
	}
	return word + pick(rng, codas)
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// aliasTable returns a table for drawing weighted indexes in constant time.
func aliasTable(weights []float64) []aliasEntry {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	scaled := make([]float64, len(weights))
	var small, large []int
	for i, w := range weights {
		scaled[i] = w / total * float64(len(weights))
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	table := make([]aliasEntry, len(weights))
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		table[s] = aliasEntry{cut: uint32(scaled[s] * math.MaxUint32), alias: uint32(l)}
		if scaled[l] -= 1 - scaled[s]; scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		table[i] = aliasEntry{cut: math.MaxUint32, alias: uint32(i)}
	}
	return table
}
