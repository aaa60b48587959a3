package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// RowID returns the id of the row at a position, which counts from 0. It is
// valid until rows of the dataset are removed: then later rows move up, and all
// ids change.
func (d *Dataset) RowID(position int64) string {
	return fmt.Sprintf("%d-%d-%d", d.content, d.removals, position)
}

// errMalformed is the fault for a text that was never the id of a row.
var errMalformed = fault.New(fault.Invalid, "Input should be the id of a row")

// position returns the position of the row with an id. The error is
// errMalformed, a Conflict fault if the id is from before a removal or from
// another dataset, and a NotFound fault if the row does not exist.
func (d *Dataset) position(id string) (int64, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 3 {
		return 0, errMalformed
	}
	var numbers [3]int64
	for i, part := range parts {
		number, err := strconv.ParseUint(part, 10, 63)
		if err != nil {
			return 0, errMalformed
		}
		numbers[i] = int64(number)
	}
	position := numbers[2]
	switch {
	case numbers[0] != d.content || numbers[1] != d.removals:
		return 0, fault.Conflictf("The rows of the draft have moved since %q was read: read them again", id)
	case position >= d.RowCount:
		return 0, fault.NotFoundf("Row %q not found", id)
	}
	return position, nil
}
