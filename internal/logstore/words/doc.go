// Package words says what a word of a text is, and which words of texts a word of a
// query finds. Every engine of the log store uses it, so that all of them find the
// same logs.
//
// A word of a text is what Scanner says it is. It becomes a term: in lower case and
// cut to MaxTerm bytes. Texts and queries go through the same scanner, so both
// agree by construction.
//
// A term matches a word of a query if, apostrophes left out, it is equal or starts
// with it; or has the same first rune and is within f edits (f is 0 up to 2 runes,
// 1 up to 5, else 2); or has the same first rune and some prefix within one edit of
// a word of at least 5 runes. The last two do not apply to words with a number in
// them, nor to those of a run, see Scanner: their characters must follow one another
// in the text, and then match exactly. Words longer than MaxTerm bytes are compared
// by their first ones. At most MaxWords different words of a query count.
package words

// Version is the version of the rules. It must be raised whenever they change: indexes
// of an earlier one are built again.
const Version = 2
