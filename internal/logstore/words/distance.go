package words

// The edit distance is Damerau–Levenshtein in its "optimal string alignment"
// form: insert, delete or replace a rune or swap two neighbours, no rune
// edited twice. As no more than two edits are ever allowed, only five cells
// of each row of the usual table can matter: those up to two off the
// diagonal.
//
// Row j belongs to the first j runes of the term. Its cell c holds the
// distance to the first j+c-2 runes of the query word. Rows are kept in a
// stack, so a sorted dictionary computes each row once for all terms that
// share the prefix.

const (
	bandWidth  = 5
	bandCentre = 2
	// tooFar is more than any limit and small enough to add to.
	tooFar = 100
)

type row [bandWidth]uint8

// Distance is the stack of rows for one word against terms that start with
// the same rune. It may be used for one word after the other.
type Distance struct {
	rows  [MaxTerm + bandWidth + 1]row
	runes [MaxTerm + bandWidth + 1]rune // of the term, counted from 1
}

// State is what is known about all terms with a prefix.
type State uint8

const (
	// Alive says that it depends on the rest.
	Alive State = iota
	// Dead says that none of them matches.
	Dead
	// Accepted says that all of them match.
	Accepted
)

// Start sets up the rows of the empty prefix and of the first rune, which is
// always the word's own.
func (d *Distance) Start(w *Word) {
	d.rows[0] = row{tooFar, tooFar, 0, 1, 2}
	d.rows[1] = row{tooFar, 1, 0, 1, 2}
	d.runes[1] = w.runes[bandCentre]
}

// pad puts zeros, which equal no rune of a term, around the runes of a
// word so that no cell of the band lies outside: rune i, counted from 1, is at
// index i+1.
func pad(runes []rune) []rune {
	padded := make([]rune, len(runes)+3*bandWidth)
	copy(padded[bandCentre:], runes)
	return padded
}

// Step computes row j for the rune r from the rows before and tells what
// becomes of the terms that start so. It must not be called below a row that
// was not Alive.
func (d *Distance) Step(w *Word, j int, r rune) State {
	before, last, now := &d.rows[j-2], &d.rows[j-1], &d.rows[j]
	d.runes[j] = r
	swapped := d.runes[j-1]
	// band[c+1] is rune j+c-2, the last one of cell c; band[c] the one before.
	band := w.runes[j-bandCentre : j-bandCentre+bandWidth+1]
	left, least := uint8(tooFar), uint8(tooFar)
	for c := range bandWidth {
		cell := last[c]
		if band[c+1] != r {
			cell++
		}
		if c+1 < bandWidth {
			cell = min(cell, last[c+1]+1)
		}
		cell = min(cell, left+1)
		if band[c+1] == swapped && band[c] == r {
			cell = min(cell, before[c]+1)
		}
		now[c], left = cell, cell
		least = min(least, cell)
	}
	if c := w.n - j + bandCentre; c < 0 {
		return Dead
	} else if c < bandWidth && now[c] <= w.slack {
		return Accepted
	}
	if least > w.limit {
		return Dead
	}
	return Alive
}

// End reports whether a term that ends after j runes matches as a whole.
func (d *Distance) End(w *Word, j int) bool {
	c := w.n - j + bandCentre
	return c >= 0 && c < bandWidth && d.rows[j][c] <= w.limit
}
