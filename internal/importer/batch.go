package importer

import (
	"errors"
	"io"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// batch is a number of rows that are handled at once.
type batch struct {
	rows []batchRow
	// report are the remarks on the rows, and bytes the size of their bodies.
	report []Entry
	bytes  int
	read   int64
	ended  bool
}

// batchRow is a row that can be read.
type batchRow struct {
	row source.Row
	in  *reqlog.LogInput
}

// maxBatchBytes limits the bodies of a batch: the row that exceeds it is the last one.
const maxBatchBytes = 8 << 20

// decode checks a row by itself. The entry says what is wrong with it, nil if nothing.
func decode(row source.Row) (*reqlog.LogInput, *Entry) {
	entry := &Entry{Row: row.Number, Line: row.Line, ID: shortened(row.ID)}
	if row.Ignored != "" {
		entry.Status, entry.Reason = NoteIgnored, row.Ignored
		return nil, entry
	}
	entry.Status, entry.Reason = NoteRefused, row.Refused
	if row.Refused != "" {
		return nil, entry
	}
	body, err := jsontree.Parse(row.Body)
	if err != nil {
		entry.Reason = "Not valid JSON: " + err.Error()
		return nil, entry
	}
	var problems fault.Problems
	in := reqlog.DecodeImported(body, []any{"row"}, &problems)
	if err := errors.Join(problems.Err()); err != nil {
		entry.Reason = messageOf(err)
		return nil, entry
	}
	if !in.PromptGiven {
		in.Prompt.Version = 0 // other systems have versions without a prompt
	}
	return in, nil
}

// messageOf returns the text of an error for clients.
func messageOf(err error) string {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return shortened(known.Message)
	}
	return shortened(err.Error())
}

// shortened limits a text for the report.
func shortened(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	for cut := most; ; cut-- {
		if text[cut]&0xc0 != 0x80 { // the beginning of a character
			return text[:cut] + "…"
		}
	}
}

// next reads the next batch.
func (x *execution) next() (*batch, error) {
	b := &batch{}
	for b.read < int64(x.service.batchRows) && b.bytes < maxBatchBytes {
		row, err := x.rows.Next()
		if errors.Is(err, io.EOF) {
			b.ended = true
			break
		}
		if err != nil {
			return b, err
		}
		b.add(row)
	}
	return b, nil
}

// add adds a row.
func (b *batch) add(row source.Row) {
	b.read++
	b.bytes += len(row.Body)
	in, entry := decode(row)
	if entry != nil {
		b.report = append(b.report, *entry)
		return
	}
	b.rows = append(b.rows, batchRow{row, in})
}

// remark adds an entry about a row.
func (b *batch) remark(row source.Row, status Note, reason string) {
	b.report = append(b.report, Entry{row.Number, row.Line, shortened(row.ID), status, reason})
}

// imported returns the rows for the store, with the marks of a commit.
func (b *batch) imported(id, commit int64) []requests.Imported {
	list := make([]requests.Imported, len(b.rows))
	for i, one := range b.rows {
		w := jsontree.NewWriter(nil)
		w.Object(func() {
			w.Key("id").Int(id)
			w.Key("row").Int(one.row.Number)
			w.Key("commit").Int(commit)
			if one.row.ID != "" {
				w.Key("source_id").String(one.row.ID)
			}
		})
		list[i] = requests.Imported{Input: one.in, Mark: reqlog.Member{Key: MarkKey, Value: w.Bytes()}}
	}
	return list
}

// settle removes the rows that were refused, adds remarks, and returns the logs that
// are left.
func (b *batch) settle(rows []requests.Imported, outcomes []requests.Outcome) (logs []*reqlog.Log) {
	for i, outcome := range outcomes {
		switch {
		case outcome.Err != nil:
			b.remark(b.rows[i].row, NoteRefused, messageOf(outcome.Err))
			continue
		case rows[i].Unlinked != nil:
			b.remark(b.rows[i].row, NoteUnlinked, messageOf(rows[i].Unlinked))
		}
		logs = append(logs, outcome.Log)
	}
	return logs
}

// firstEntries is the number of entries of the report that are shown at once.
const firstEntries = 20

// count adds a batch to the progress.
func (p *Progress) count(b *batch, logs int) {
	p.Rows += b.read
	p.Accepted += int64(logs)
	for _, e := range b.report {
		p.note(e)
	}
}

// note counts an entry of the report.
func (p *Progress) note(e Entry) {
	switch e.Status {
	case NoteRefused:
		p.Refused++
	case NoteIgnored:
		p.Ignored++
	case NoteExisting:
		p.Existing++
	case NoteUnlinked:
		p.Unlinked++
	}
	if len(p.First) < firstEntries {
		p.First = append(p.First[:len(p.First):len(p.First)], e)
	}
}
