package dataset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
)

// RowID returns the id of the row at a position, which counts from 0. It stands
// for that row until rows of the dataset are removed: what follows them moves
// up, and so all ids are other ones from then on.
func (d *Dataset) RowID(position int64) string {
	return fmt.Sprintf("%d-%d-%d", d.content, d.removals, position)
}

// errMalformed is for texts that were never the id of a row.
var errMalformed = fault.New(fault.Invalid, "Input should be the id of a row")

// position returns where the row with an id stands. The error is errMalformed,
// a Conflict fault when the id is from before rows were removed or from another
// dataset, and a NotFound fault when there is no such row.
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
