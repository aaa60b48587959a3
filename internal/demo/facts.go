package demo

// Planted is a word outside the vocabulary that the generator puts into the
// input of known logs, so that a search for it has a known result.
type Planted struct {
	Word string
	// Every is the distance between logs that contain the word, starting with
	// log 7.
	Every int
}

// plantedFirst is the first log with any planted word.
const plantedFirst = 7

// The planted words. Many words of the vocabulary begin with the same letter,
// so that a fuzzy search takes work, but none is within two edits. Logs contain
// both Frequent and Occasional if their distance from log 7 is a multiple of
// 300.
var (
	Rare       = Planted{"marzipan", 5000}
	Frequent   = Planted{"periscope", 100}
	Occasional = Planted{"sarsaparilla", 150}
)

var allPlanted = []Planted{Rare, Frequent, Occasional}

// In reports whether log i contains the word.
func (p Planted) In(i int) bool { return i >= plantedFirst && (i-plantedFirst)%p.Every == 0 }

// Count returns the number of logs among the first n that contain the word.
func (p Planted) Count(n int) int { return count(p.Every, n) }

// CountBoth returns the number of logs among the first n that contain both
// words.
func CountBoth(a, b Planted, n int) int { return count(lcm(a.Every, b.Every), n) }

func count(every, n int) int {
	if n <= plantedFirst {
		return 0
	}
	return (n-plantedFirst-1)/every + 1
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// Identifier returns the identifier that only the text of log i contains.
func (g *Generator) Identifier(i int) string {
	d := draft{Generator: g, index: i}
	d.setID()
	return string(d.id[:])
}
