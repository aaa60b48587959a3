package step

import "github.com/promptuary/promptuary/internal/jsontree"

// sameJSON reports whether two values are equal. The order of keys and the
// notation of numbers and strings do not matter.
func sameJSON(left, right jsontree.Value) bool {
	left, right = orNull(left), orNull(right)
	if left.Kind() != right.Kind() {
		return false
	}
	switch left.Kind() {
	case jsontree.Number:
		a, _ := numeric(left)
		b, _ := numeric(right)
		return a == b
	case jsontree.Array:
		return sameElements(left, right)
	case jsontree.Object:
		return sameMembers(left, right)
	default:
		return Text(left) == Text(right)
	}
}

func sameElements(left, right jsontree.Value) bool {
	if left.Len() != right.Len() {
		return false
	}
	others := make([]jsontree.Value, 0, right.Len())
	for _, element := range right.Elems() {
		others = append(others, element)
	}
	for i, element := range left.Elems() {
		if !sameJSON(element, others[i]) {
			return false
		}
	}
	return true
}

// sameMembers compares maps, because looking up each member in the other object
// would take quadratic time.
func sameMembers(left, right jsontree.Value) bool {
	members, others := membersOf(left), membersOf(right)
	if len(members) != len(others) {
		return false
	}
	for key, member := range members {
		other, ok := others[key]
		if !ok || !sameJSON(member, other) {
			return false
		}
	}
	return true
}

// membersOf returns the members of an object; the last of duplicates counts.
func membersOf(object jsontree.Value) map[string]jsontree.Value {
	members := make(map[string]jsontree.Value, object.Len())
	for key, member := range object.Members() {
		members[key] = member
	}
	return members
}
