package demo

// Planted is a word that no vocabulary contains and that the generator puts
// into the input of known logs, so that a search for it has a known answer.
type Planted struct {
	Word string
	// Every tells that one in so many logs holds the word, beginning with
	// log 7.
	Every int
}

// plantedFirst is the first log with any planted word.
const plantedFirst = 7

// The planted words. Many words of the vocabulary begin with the same letter,
// so looking for near ones takes work, but none is so near that two typing
// errors lead to it. Logs that hold both Frequent and Occasional are those
// whose distance from log 7 is a multiple of 300.
var (
	Rare       = Planted{"marzipan", 5000}
	Frequent   = Planted{"periscope", 100}
	Occasional = Planted{"sarsaparilla", 150}
)

var allPlanted = []Planted{Rare, Frequent, Occasional}

// In reports whether log i holds the word.
func (p Planted) In(i int) bool { return i >= plantedFirst && (i-plantedFirst)%p.Every == 0 }

// Count returns how many of the first n logs hold the word.
func (p Planted) Count(n int) int { return count(p.Every, n) }

// CountBoth returns how many of the first n logs hold both words.
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

// Identifier returns the identifier that the text of log i holds and that of
// no other log does.
func (g *Generator) Identifier(i int) string {
	d := draft{Generator: g, index: i}
	d.setID()
	return string(d.id[:])
}
