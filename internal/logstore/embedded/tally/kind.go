package tally

import (
	"sync"
)

// Kinds numbers the kinds of logs: logs of a kind have the same model, provider, prompt
// and type of error. It is safe for concurrent use.
type Kinds struct {
	mu    sync.Mutex
	index index
	all   []kind

	models, providers, errorTypes names
}

// kind is what logs have in common, as hashes of names, and the id of the prompt, 0
// without one.
type kind struct{ model, provider, errorType, prompt int64 }

// key tells kinds apart.
func (k kind) key() int64 {
	key := uint64(k.model)
	for _, next := range [...]int64{k.provider, k.errorType, k.prompt} {
		key = (key ^ key>>32) * 0x9e3779b97f4a7c15
		key ^= uint64(next)
	}
	return int64(key)
}

// number returns the number of a kind, given the id of a log.
func (k *Kinds) number(of kind, id int64) uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	number, fresh := k.index.of(of.key())
	if fresh {
		k.all = append(k.all, of)
	}
	k.models.add(of.model, id)
	k.providers.add(of.provider, id)
	k.errorTypes.add(of.errorType, id)
	return uint32(number)
}

// names are the names that hashes stand for.
type names map[int64]name

// name has the lowest id of a log in which the name is looked up. Those close to each
// other are found faster.
type name struct {
	id   int64
	text string
}

func (n *names) add(hash, id int64) {
	if *n == nil {
		*n = names{}
	}
	if known, ok := (*n)[hash]; !ok || id < known.id {
		(*n)[hash] = name{id: id}
	}
}

// find sets the names, of which it is given those of a log. It reports whether they have
// all hashes.
func (n names) find(of func(id int64) (hash int64, text string)) bool {
	for hash, known := range n {
		found, text := of(known.id)
		if found != hash {
			return false
		}
		n[hash] = name{known.id, text}
	}
	return true
}
