package embedded

import (
	"errors"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// removals are what was removed of the metadata and scores of logs, and may still be
// in records of the journal: by deletions, of many logs at once, and by annotations.
type removals struct {
	// logs are all logs of which something was removed.
	logs textindex.Set
	bulk []bulkRemoval
	// single has what annotations have removed of one log, by its id, and the place of
	// the last one that did.
	single map[int64]map[removedName]journal.Place
}

// removedName is the name of something that was removed.
type removedName struct {
	list byte // one of those of an annotation
	name string
}

// removedLists returns the lists of an annotation with what it removes.
func removedLists(a *reqlog.Annotation) [3]*[]string {
	return [...]*[]string{&a.RemovedKeys, &a.RemovedScores, &a.RemovedPaths}
}

// removal is a removal and the place of its record. What is written later stays.
type removal struct {
	at     journal.Place
	change *reqlog.Annotation
}

// bulkRemoval is a removal from several logs, with ids from first to last.
type bulkRemoval struct {
	removal
	first, last int64
	logs        *textindex.Set
}

// readRemovals adds the removals in blocks of the journal. Those in damaged blocks
// are unknown: it returns the size of these.
func (c *reclaimer) readRemovals(blocks []journal.Position, to *removals) (damaged int64, err error) {
	for _, at := range blocks {
		block, err := c.journal.Read(at)
		if errors.Is(err, journal.ErrDamaged) {
			damaged += c.damageAt(at)
			continue
		}
		if err != nil {
			return damaged, err
		}
		for slot, raw := range block.Records {
			if err := to.add(raw, journal.Place{Block: at, Slot: int64(slot)}); err != nil {
				return damaged, err
			}
		}
	}
	return damaged, nil
}

func (c *reclaimer) damageAt(at journal.Position) int64 {
	for _, d := range c.journal.Damage() {
		if d.From <= at && at < d.To {
			return d.Bytes
		}
	}
	return 0
}

// add adds the removal that a record may be.
func (s *removals) add(r record, at journal.Place) error {
	if !r.valid() {
		return nil
	}
	switch r.kind() {
	case recordDeletion:
		d, err := decodeDeletion(r)
		if err != nil || !d.Removes() || len(d.Logs) == 0 {
			return err
		}
		change := d.Removal()
		one := bulkRemoval{removal: removal{at, &change}, first: d.Logs[0], last: d.Logs[len(d.Logs)-1], logs: &textindex.Set{}}
		for _, id := range d.Logs {
			one.logs.Add(id)
			s.logs.Add(id)
		}
		s.bulk = append(s.bulk, one)
	case recordAnnotation:
		change, err := document.DecodeAnnotation(r[recordHeader:])
		if err != nil || !change.Removes() {
			return err
		}
		s.addSingle(r.id(), &change, at)
	}
	return nil
}

// addSingle adds what an annotation removes. Annotations are added in their order.
func (s *removals) addSingle(id int64, change *reqlog.Annotation, at journal.Place) {
	if s.single == nil {
		s.single = map[int64]map[removedName]journal.Place{}
	}
	if s.single[id] == nil {
		s.single[id] = map[removedName]journal.Place{}
		s.logs.Add(id)
	}
	for list, names := range removedLists(change) {
		for _, name := range *names {
			s.single[id][removedName{byte(list), name}] = at
		}
	}
}

// of returns what was removed from a log after the record at a place.
func (s *removals) of(id int64, place journal.Place) (found []*reqlog.Annotation) {
	if !s.logs.Has(id) {
		return nil
	}
	if last := s.single[id]; last != nil {
		change := &reqlog.Annotation{}
		lists := removedLists(change)
		for what, at := range last {
			if place.Before(at) {
				*lists[what.list] = append(*lists[what.list], what.name)
			}
		}
		found = append(found, change)
	}
	for i := range s.bulk {
		if one := &s.bulk[i]; one.first <= id && id <= one.last && place.Before(one.at) && one.logs.Has(id) {
			found = append(found, one.change)
		}
	}
	return found
}
