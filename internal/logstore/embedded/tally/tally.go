// Package tally computes the analytics of request logs in one pass over columns of the
// table. DuckDB would need a pass for each list of the answer, and a hash table of texts
// for most of them.
//
// What cannot be computed in little memory, such as totals of a million tags, falls back
// to SQL.
//
// A kind is what logs have in common: model, provider, prompt and type of error. Totals
// are per kind; a dimension adds up the kinds with the same model, for example. A group
// has the totals of each tag or tool. Hashes count logs by a hash: of a metadata value,
// or of the set of all keys of a log. Names are the texts that hashes stand for.
package tally

import (
	"errors"
	"math"

	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

var (
	// ErrTooMany is returned for logs with so many different values that their totals
	// need too much memory.
	ErrTooMany = errors.New("too many different values")
	// ErrChanged is returned if a log changed before its names were looked up.
	ErrChanged = errors.New("a log changed during the analysis")
)

const (
	// maxKinds is the number of kinds of logs. Their names are looked up, like those
	// of sets of keys, of which there may be maxSets.
	maxKinds = 1 << 16
	maxSets  = 1 << 12
	// maxNames is the number of different tags or tools.
	maxNames = 1 << 16
	// maxBuckets is the number of buckets. Each takes half a kilobyte.
	maxBuckets = 1 << 16
)

// Tally sums up logs. It is not safe for concurrent use; several with the same kinds
// can be used in parallel, and merged. Close frees its memory.
type Tally struct {
	length chart.Bucket
	size   int64 // the same in microseconds, 0 for weeks and months
	index  index // of the starts of buckets
	// last is the bucket of the last log; the next one is likely to be in it, too.
	last    int
	buckets []bucket

	shared *Kinds
	kinds  index
	totals []kindTotal // by the number in the index
	tags   group[total]
	tools  group[toolTotal]
	// All keys of a log have one hash, each of its metadata values has one.
	metadataKeys, outputKeys, values hashes
	top                              []*hashed // see topValues
	leftValues                       bool
}

// kindTotal sums up the logs of a kind.
type kindTotal struct {
	number uint32 // among all kinds
	total
}

// New returns an empty tally with buckets of a length. It counts metadata values as long
// as there is room.
func New(b chart.Bucket, kinds *Kinds, room *Room) *Tally {
	return &Tally{
		length: b, size: b.MS * 1000, shared: kinds,
		metadataKeys: hashes{most: maxSets}, outputKeys: hashes{most: maxSets}, values: hashes{most: math.MaxInt, room: room},
	}
}

// Close gives back the room for metadata values. The tally must not be used afterwards.
func (t *Tally) Close() { t.values.drop() }

// Select are the columns that Add reads. Nulls are replaced.
const Select = "id, start_time, hash(engine), hash(provider), hash(error_type), coalesce(prompt_id, 0), latency_ms, coalesce(price, 0), " +
	"coalesce(input_tokens, 0), coalesce(output_tokens, 0), coalesce(cached_tokens, 0), coalesce(thinking_tokens, 0), " +
	"status = '" + reqlog.StatusWarning + "', status = '" + reqlog.StatusError + "', is_json, is_tool_call, turns, tool_calls, " +
	"tags, tool_names, metadata_keys_hash, output_keys_hash, metadata_pairs_hashes"

// Add adds the logs of a chunk with the selected columns.
func (t *Tally) Add(c *chunk.Chunk) error {
	ids, starts, models, providers, errorTypes, prompts := c.Ints(0), c.Ints(1), c.Ints(2), c.Ints(3), c.Ints(4), c.Ints(5)
	latencies, prices, inputs, outputs, cached, thinking := c.Floats(6), c.Floats(7), c.Ints(8), c.Ints(9), c.Ints(10), c.Ints(11)
	warning, failed, json, toolCall := c.Bools(12), c.Bools(13), c.Bools(14), c.Bools(15)
	turns, toolCalls, tags, tools := c.Ints(16), c.Ints(17), c.TextLists(18), c.TextLists(19)
	metadataKeys, outputKeys, values := c.Ints(20), c.Ints(21), c.IntLists(22)
	for row, id := range ids {
		one := total{1, inputs[row], outputs[row], prices[row]}
		micros := math.Round(latencies[row] * 1000)
		if micros > maxLatency {
			return ErrTooMany
		}
		latency := uint64(micros)
		of := t.kind(kind{models[row], providers[row], errorTypes[row], prompts[row]}, id)
		of.add(&one)

		b := t.bucket(starts[row])
		b.total.add(&one)
		b.cached += cached[row]
		b.thinking += thinking[row]
		b.warning += count(warning[row])
		b.failed += count(failed[row])
		b.json += count(json[row])
		b.toolCall += count(toolCall[row])
		b.turns += turns[row]
		b.calls.add(toolCalls[row], 1)
		b.add(point{low: uint32(latency), high: uint16(latency >> 32), kind: of.number})

		own := tags.Of(row)
		for i := range own {
			t.tags.at(own[i].View()).add(&one)
		}
		own = tools.Of(row)
		for i := range own {
			t.tools.at(own[i].View()).add(&toolTotal{1, latency, latency, latency})
		}
		t.metadataKeys.add(metadataKeys[row], id, 1, 0)
		t.outputKeys.add(outputKeys[row], id, 1, 0)
		for _, hash := range values.Of(row) {
			t.values.add(hash, id, 1, one.cost)
		}
	}
	return t.check()
}

func count(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// check returns an error if there are too many different values, except for those of
// metadata.
func (t *Tally) check() error {
	if t.kinds.size > maxKinds || len(t.buckets) > maxBuckets || t.tags.exceeded || t.tools.exceeded ||
		t.metadataKeys.exceeded || t.outputKeys.exceeded {
		return ErrTooMany
	}
	return nil
}

// kind returns the totals of a kind, given the id of a log of it.
func (t *Tally) kind(of kind, id int64) *kindTotal {
	at, fresh := t.kinds.of(of.key())
	if fresh {
		t.totals = append(t.totals, kindTotal{number: t.shared.number(of, id)})
	}
	return &t.totals[at]
}

// bucket returns the bucket of a time. It is valid until the next one is asked for.
func (t *Tally) bucket(start int64) *bucket {
	if t.last < len(t.buckets) {
		if b := &t.buckets[t.last]; b.start <= start && start-b.start < t.size {
			return b
		}
	}
	start = int64(t.length.Start(reqlog.Micros(start)))
	at, fresh := t.index.of(start)
	if fresh {
		t.buckets = append(t.buckets, bucket{start: start})
	}
	t.last = at
	return &t.buckets[at]
}

// Merge adds the logs of another tally. No tally with the same kinds may be used during
// the merge; o must not be used afterwards, except to close it.
func (t *Tally) Merge(o *Tally) error {
	t.tags.merge(&o.tags, (*total).add)
	t.tools.merge(&o.tools, (*toolTotal).add)
	t.metadataKeys.merge(&o.metadataKeys)
	t.outputKeys.merge(&o.outputKeys)
	t.values.merge(&o.values)
	for i := range o.totals {
		from := &o.totals[i]
		t.kind(t.shared.all[from.number], math.MaxInt64).add(&from.total)
	}
	for i := range o.buckets {
		t.bucket(o.buckets[i].start).merge(&o.buckets[i])
	}
	return t.check()
}
