package eval

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// NewColumn is a column to be added.
type NewColumn struct {
	Type          string
	Name          string
	Configuration jsontree.Value
	// Position counts from 1 and includes the columns of the dataset; nil appends.
	Position *int64
	Scored   bool
}

// maxColumns is the maximum number of columns in addition to those of the
// dataset, and maxConfiguration the maximum total size of their configurations.
const (
	maxColumns       = 200
	maxConfiguration = 4 << 20
)

// datasetColumns returns the columns for a dataset with these names.
func datasetColumns(names []string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{Position: int64(i + 1), Type: TypeDataset, Name: name}
	}
	return columns
}

// datasetCount returns the number of columns that belong to the dataset.
func datasetCount(columns []Column) int {
	count := 0
	for count < len(columns) && columns[count].Type == TypeDataset {
		count++
	}
	return count
}

// renumber sets the positions of columns.
func renumber(columns []Column) {
	for i := range columns {
		columns[i].Position = int64(i + 1)
	}
}

// addAll adds the columns of a new evaluation to those of its dataset. Their
// positions determine only their order; columns without one come last.
func addAll(columns []Column, added []NewColumn) ([]Column, error) {
	ordered := slices.Clone(added)
	slices.SortStableFunc(ordered, func(a, b NewColumn) int {
		switch {
		case a.Position == nil && b.Position == nil:
			return 0
		case a.Position == nil:
			return 1
		case b.Position == nil:
			return -1
		}
		return cmp.Compare(*a.Position, *b.Position)
	})
	for _, one := range ordered {
		if err := checkType(one.Type); err != nil {
			return nil, err
		}
		columns = append(columns, one.column())
	}
	renumber(columns)
	if err := checkSize(columns); err != nil {
		return nil, err
	}
	given, computed := split(columns)
	_, err := grid.Compile(given, computed)
	return columns, err
}

func (n *NewColumn) column() Column {
	return Column{Type: n.Type, Name: n.Name, Configuration: n.Configuration, Scored: n.Scored}
}

// checkType returns a BadRequest fault for the type that is reserved for
// columns of a dataset.
func checkType(name string) error {
	if name == TypeDataset {
		return fault.BadRequestf("Invalid column type: %s", name)
	}
	return nil
}

// split returns the names of the dataset columns, and the others in the form of
// package grid.
func split(columns []Column) (given []string, computed []grid.Column) {
	count := datasetCount(columns)
	given = make([]string, count)
	for i := range given {
		given[i] = columns[i].Name
	}
	for _, c := range columns[count:] {
		computed = append(computed, grid.Column{ID: c.ID, Name: c.Name, Type: c.Type, Configuration: c.Configuration})
	}
	return given, computed
}

// checkLast returns a BadRequest fault if the last column is invalid after the
// others.
func checkLast(columns []Column) error {
	given, computed := split(columns)
	return grid.Read(given, computed).Problem(len(computed) - 1)
}

// checkSize returns a BadRequest fault when there are too many columns.
func checkSize(columns []Column) error {
	own := columns[datasetCount(columns):]
	if len(own) > maxColumns {
		return fault.BadRequestf("A report can have at most %d columns in addition to those of the dataset", maxColumns)
	}
	size := 0
	for i := range own {
		size += len(own[i].Configuration.Raw())
	}
	if size > maxConfiguration {
		return fault.BadRequestf("The configurations take %d bytes, more than %d", size, maxConfiguration)
	}
	return nil
}

// AddColumn adds a column to an evaluation. The fault is NotFound if the
// evaluation does not exist, Forbidden if the caller lacks the permission, for
// a run, and for a position among the dataset columns, and BadRequest for an
// invalid column.
func (s *Service) AddColumn(ctx context.Context, workspace, reportID int64, in NewColumn) (Column, error) {
	if err := s.mayEditColumns(ctx, workspace, reportID); err != nil {
		return Column{}, err
	}
	return s.editColumns(ctx, workspace, reportID, func(columns []Column) ([]Column, int, error) {
		one := in.column()
		var err error
		if one.Configuration, err = s.protect(workspace, one, columns, -1); err != nil {
			return nil, 0, err
		}
		return insert(columns, one, in.Position)
	})
}

// mayEditColumns returns a fault unless the id belongs to an evaluation whose
// columns the caller may change.
func (s *Service) mayEditColumns(ctx context.Context, workspace, reportID int64) error {
	found, err := s.findLive(ctx, workspace, reportID)
	if err != nil {
		return err
	}
	if err := access.Require(ctx, access.ReportEdit); err != nil {
		return err
	}
	if found.run != nil {
		return fault.New(fault.Forbidden, "The columns of a run cannot be changed")
	}
	return nil
}

// editColumns changes the columns of an evaluation, unless edit fails, and
// returns the one whose index edit returns, if any.
func (s *Service) editColumns(
	ctx context.Context, workspace, reportID int64, edit func(columns []Column) ([]Column, int, error),
) (edited Column, err error) {
	err = s.entities.InTx(ctx, func(ctx context.Context) error {
		if err := s.entities.LockEntity(ctx, workspace, reportID); err != nil {
			return reportNotFound(err)
		}
		columns, err := s.store.ReportColumns(ctx, reportID)
		if err != nil {
			return err
		}
		changed, at, err := edit(columns)
		if err != nil {
			return err
		}
		renumber(changed)
		saved, err := s.store.SaveReportColumns(ctx, workspace, reportID, changed)
		if err == nil && at >= 0 {
			edited = saved[at]
		}
		return err
	})
	return edited, err
}

// insert inserts a column at a position, which counts from 1 and may be beyond
// the end, and returns its index.
func insert(columns []Column, one Column, position *int64) ([]Column, int, error) {
	at := len(columns)
	if err := checkType(one.Type); err != nil {
		return nil, 0, err
	}
	if position != nil {
		if *position <= int64(datasetCount(columns)) {
			return nil, 0, fault.New(fault.Forbidden, "You can not overwrite dataset columns")
		}
		at = int(min(*position-1, int64(len(columns))))
	}
	if err := checkLast(append(slices.Clone(columns[:at]), one)); err != nil {
		return nil, 0, err
	}
	for i := at; i < len(columns); i++ {
		if columns[i].Name == one.Name {
			return nil, 0, fault.BadRequestf("Report already has a column with that name")
		}
	}
	columns = slices.Insert(columns, at, one)
	return columns, at, checkSize(columns)
}

// ColumnPatch changes a column; nil fields are left unchanged.
type ColumnPatch struct {
	ReportID int64
	Type     string
	Name     *string
	// Configuration, if given, replaces the whole configuration.
	Configuration jsontree.Value
	Position      *int64
}

// PatchColumn changes a column of an evaluation. The fault is NotFound if the
// column does not exist, Forbidden if the caller lacks the permission and for
// columns of a dataset or a run, and BadRequest if the result is invalid.
// References from other columns are not checked: they fail when the evaluation
// runs.
func (s *Service) PatchColumn(ctx context.Context, workspace, columnID int64, in ColumnPatch) (Column, error) {
	owner, err := s.columnOwner(ctx, workspace, columnID)
	if err != nil {
		return Column{}, err
	}
	if err := s.mayEditColumns(ctx, workspace, owner); err != nil {
		return Column{}, err
	}
	return s.editColumns(ctx, workspace, owner, func(columns []Column) ([]Column, int, error) {
		at := indexOf(columns, columnID)
		switch {
		case at < 0:
			return nil, 0, columnNotFound()
		case columns[at].Type == TypeDataset:
			return nil, 0, fault.New(fault.Forbidden, "Columns of the dataset cannot be changed")
		case in.ReportID != owner:
			return nil, 0, fault.BadRequestf("The column does not belong to report %d", in.ReportID)
		}
		position := in.Position
		if position == nil {
			position = &columns[at].Position
		}
		patched, err := s.protectPatched(workspace, in, columns, at)
		if err != nil {
			return nil, 0, err
		}
		return insert(slices.Delete(slices.Clone(columns), at, at+1), patched, position)
	})
}

// applied returns the column with the changes.
func (p *ColumnPatch) applied(c Column) Column {
	c.Type = p.Type
	if p.Name != nil {
		c.Name = *p.Name
	}
	if p.Configuration.Given() {
		c.Configuration = p.Configuration
	}
	return c
}

// DeleteColumn removes a column from an evaluation. The fault is NotFound if
// the column does not exist or belongs to the dataset, and Forbidden if the
// caller lacks the permission or the column belongs to a run.
func (s *Service) DeleteColumn(ctx context.Context, workspace, columnID int64) error {
	owner, err := s.columnOwner(ctx, workspace, columnID)
	if err != nil {
		return err
	}
	if err := s.mayEditColumns(ctx, workspace, owner); err != nil {
		return err
	}
	_, err = s.editColumns(ctx, workspace, owner, func(columns []Column) ([]Column, int, error) {
		at := indexOf(columns, columnID)
		if at < 0 || columns[at].Type == TypeDataset {
			return nil, 0, columnNotFound()
		}
		return slices.Delete(columns, at, at+1), -1, nil
	})
	return err
}

// columnOwner returns the evaluation or run that has the column.
func (s *Service) columnOwner(ctx context.Context, workspace, columnID int64) (int64, error) {
	owner, err := s.store.FindReportColumn(ctx, workspace, columnID)
	if fault.Is(err, fault.NotFound) {
		err = columnNotFound()
	}
	return owner, err
}

func columnNotFound() error { return fault.NotFoundf("Report column not found") }

func indexOf(columns []Column, id int64) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.ID == id })
}
