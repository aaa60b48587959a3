package logcopy

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Digest is the number of things and a checksum of their content, which does not
// depend on their order.
type Digest struct {
	Count int64
	sum   [2]uint64
}

// Checksum returns the checksum as text.
func (d Digest) Checksum() string { return fmt.Sprintf("%016x%016x", d.sum[0], d.sum[1]) }

// add adds something with a hash.
func (d *Digest) add(hash [sha256.Size]byte) {
	d.Count++
	d.sum[0] += binary.BigEndian.Uint64(hash[:])
	d.sum[1] += binary.BigEndian.Uint64(hash[8:])
}

// Kind is a kind of what is copied.
type Kind string

// The kinds.
const (
	Logs     Kind = "logs"
	Spans    Kind = "spans"
	Closures Kind = "ends of traces"
)

// Day is what a workspace has of a day, on both sides. Logs and spans are of the day
// on which they began, in UTC.
type Day struct {
	Workspace    int64
	Day          string
	Kind         Kind
	Source, Copy Digest
}

// Equal reports whether both sides have the same.
func (d *Day) Equal() bool { return d.Source == d.Copy }

type dayKey struct {
	workspace int64
	day       string
	kind      Kind
}

// days are the digests of both sides.
type days map[dayKey]*Day

// of returns the digests of a day.
func (d days) of(kind Kind, workspace int64, at reqlog.Micros) *Day {
	key := dayKey{workspace, at.Time().Format(time.DateOnly), kind}
	day := d[key]
	if day == nil {
		day = &Day{Workspace: workspace, Day: key.day, Kind: kind}
		d[key] = day
	}
	return day
}

// sorted returns the days in their order.
func (d days) sorted() []Day {
	all := make([]Day, 0, len(d))
	for _, day := range slices.Collect(maps.Values(d)) {
		all = append(all, *day)
	}
	slices.SortFunc(all, func(a, b Day) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Workspace, b.Workspace), cmp.Compare(a.Kind, b.Kind))
	})
	return all
}

// content collects what is hashed, each part with its length.
type content []byte

func (c *content) number(n int64) { *c = binary.BigEndian.AppendUint64(*c, uint64(n)) }

func (c *content) bytes(b []byte) {
	*c = append(binary.AppendUvarint(*c, uint64(len(b))), b...)
}

func (c *content) texts(all ...string) {
	for _, text := range all {
		c.bytes([]byte(text))
	}
}

// price adds a price. Engines do not keep the sign of zero.
func (c *content) price(p reqlog.Price) {
	c.number(int64(math.Float64bits(p.USD + 0)))
	c.number(int64(p.Source))
	c.number(p.Repricing)
}

// hashLog hashes everything that a log is, in its current state.
func hashLog(l query.ScannedLog) ([sha256.Size]byte, error) {
	plain := *l.Log
	plain.Price = reqlog.Price{}
	head, err := document.EncodeLog(&plain)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	c := make(content, 0, 1024+l.BodySize())
	c.number(l.ID)
	c.number(l.Workspace)
	c.bytes(head)
	c.price(l.Price)
	c.price(l.Logged)
	c.bytes(l.Input)
	c.bytes(l.Output)
	c.bytes(l.Parameters)
	return sha256.Sum256(c), nil
}

// hashSpan hashes everything that a span is.
func hashSpan(s *reqlog.Span) [sha256.Size]byte {
	c := make(content, 0, 1024+s.DataSize())
	for _, n := range []int64{s.Workspace, int64(s.Start), int64(s.End), s.Index.Workflow, s.Index.WorkflowVersion} {
		c.number(n)
	}
	c.texts(s.TraceID, s.SpanID, s.ParentID, s.TraceState, s.Name, s.Kind, s.Status, s.StatusMessage, s.SchemaURL, s.LogSpanID)
	x := &s.Index
	c.texts(x.Type, x.ToolName, x.Model, x.User, x.Session, x.OutputText, x.ExceptionText)
	for _, part := range [][]byte{s.Attributes, s.Resource, s.Events, s.Links} {
		c.bytes(part)
	}
	return sha256.Sum256(c)
}

// hashClosure hashes the end of a trace.
func hashClosure(e *reqlog.Closure) [sha256.Size]byte {
	var c content
	c.number(e.Workspace)
	c.number(int64(e.At))
	c.texts(e.TraceID)
	return sha256.Sum256(c)
}
