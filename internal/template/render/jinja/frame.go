package jinja

// frame holds the names of one scope.
type frame struct {
	parent *frame
	slots  []slot
	index  map[string]int // nil while there are few slots
}

type slot struct {
	name  string
	value value
}

func (f *frame) set(name string, v value) {
	if at := f.at(name); at >= 0 {
		f.slots[at].value = v
		return
	}
	f.slots = append(f.slots, slot{name, v})
	switch {
	case f.index != nil:
		f.index[name] = len(f.slots) - 1
	case len(f.slots) > few:
		f.index = make(map[string]int, 2*len(f.slots))
		for i, s := range f.slots {
			f.index[s.name] = i
		}
	}
}

// at returns the slot of the name in this scope only, or -1.
func (f *frame) at(name string) int {
	if f.index != nil {
		if at, ok := f.index[name]; ok {
			return at
		}
		return -1
	}
	for i := range f.slots {
		if f.slots[i].name == name {
			return i
		}
	}
	return -1
}

// find looks in this scope and the enclosing ones.
func (f *frame) find(name string) (value, bool) {
	for ; f != nil; f = f.parent {
		if at := f.at(name); at >= 0 {
			return f.slots[at].value, true
		}
	}
	return nil, false
}
