package step

import (
	"regexp"
	"strconv"
	"strings"
)

// patcher applies a unified diff line by line.
type patcher struct {
	old, out []string
	// at is the first line of old that is not processed yet.
	at int
	// final reports whether the result ends with a line feed.
	final bool
	// oldLeft and newLeft are the remaining lines of the current hunk.
	oldLeft, newLeft int
	// last is the sign of the hunk's last line.
	last byte
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@`)

// applyDiff returns text with the diff applied. Removed lines and context must
// match exactly. An empty diff changes nothing.
func applyDiff(text, diff string) (string, error) {
	if strings.TrimSpace(diff) == "" {
		return text, nil
	}
	p := &patcher{final: text == "" || strings.HasSuffix(text, "\n")}
	if text != "" {
		p.old = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	hunks := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		isHunk, err := p.line(line, hunks > 0)
		if err != nil {
			return "", err
		}
		if isHunk {
			hunks++
		}
	}
	if hunks == 0 {
		return "", failf("the diff is not a unified diff: it has no hunk")
	}
	if p.oldLeft > 0 || p.newLeft > 0 {
		return "", failf("the diff ends within a hunk")
	}
	p.out = append(p.out, p.old[p.at:]...)
	patched := strings.Join(p.out, "\n")
	if p.final && len(p.out) > 0 {
		patched += "\n"
	}
	return patched, nil
}

// line processes one line of the diff and reports whether it begins a hunk.
func (p *patcher) line(line string, inside bool) (isHunk bool, err error) {
	switch {
	case p.oldLeft > 0 || p.newLeft > 0:
		return false, p.change(line)
	case strings.HasPrefix(line, `\`) && inside:
		p.noFinal()
		return false, nil
	case strings.HasPrefix(line, "@@"):
		return true, p.begin(line)
	case !inside || strings.TrimSpace(line) == "":
		return false, nil // names of files and the like
	case strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "diff "):
		return false, failf("the diff is of more than one file")
	default:
		return false, failf("the diff has a line outside of its hunks: '%s'", shorten(line))
	}
}

// begin moves to the start of a hunk.
func (p *patcher) begin(line string) error {
	parts := hunkHeader.FindStringSubmatch(line)
	if parts == nil {
		return failf("the diff has an invalid hunk header: '%s'", shorten(line))
	}
	start := atoi(parts[1], 0)
	p.oldLeft, p.newLeft = atoi(parts[2], 1), atoi(parts[3], 1)
	if p.oldLeft > 0 {
		start-- // without old lines the hunk comes after its line
	}
	if start < p.at || start > len(p.old) {
		return failf("the diff does not match: there is no place for '%s'", shorten(line))
	}
	p.out = append(p.out, p.old[p.at:start]...)
	p.at = start
	return nil
}

func atoi(text string, fallback int) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fallback
	}
	return n
}

// change applies a line of a hunk. An empty line is an empty line of context,
// whose blank was trimmed.
func (p *patcher) change(line string) error {
	sign, text := byte(' '), ""
	if line != "" {
		sign, text = line[0], line[1:]
	}
	switch sign {
	case '\\':
		p.noFinal()
		return nil
	case '+':
		p.newLeft--
		p.out = append(p.out, text)
	case '-', ' ':
		if p.at >= len(p.old) || p.old[p.at] != text {
			return failf("the diff does not match the text at line %d", p.at+1)
		}
		p.at++
		p.oldLeft--
		if sign == ' ' {
			p.newLeft--
			p.out = append(p.out, text)
		}
	default:
		return failf("the diff has an invalid line: '%s'", shorten(line))
	}
	p.last = sign
	if p.oldLeft < 0 || p.newLeft < 0 {
		return failf("a hunk of the diff has more lines than it says")
	}
	return nil
}

// noFinal notes that the line before was the last and had no line feed: of the
// old text, so that the new one has it unless it also says so, or of the new.
func (p *patcher) noFinal() { p.final = p.last == '-' }
