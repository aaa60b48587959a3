package engine

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// InWorkspace is the end of a query of one row of a workspace by its id.
const InWorkspace = "WHERE workspace_id = $1\nAND id = $2"

// View reads values from one or several tables.
type View[T any] struct {
	// Columns lists the columns of a value.
	Columns string

	from, query string
	fields      func(*T) Fields
	complete    []func(*T)
}

// NewView returns the view of the rows that a FROM clause selects. Each is scanned
// into the fields of a value, and then completed.
func NewView[T any](from string, fields func(*T) Fields, complete ...func(*T)) *View[T] {
	columns := inLines(fields(new(T)).columns())
	return &View[T]{columns, from, "SELECT " + columns + "\nFROM " + from + "\n", fields, complete}
}

// inLines joins the items of a list, in lines that can be read.
func inLines(items []string) string {
	text, length := "", 0
	for i, item := range items {
		switch {
		case i == 0:
		case length+len(item) > 130:
			text, length = text+",\n", 0
		default:
			text, length = text+", ", length+2
		}
		text, length = text+item, length+len(item)
	}
	return text
}

// Query returns the beginning of queries, which ends after the FROM clause.
func (v *View[T]) Query() string { return v.query }

// Reader returns a function that scans rows one after the other. It looks up the
// members once for all rows.
func (v *View[T]) Reader() func(r Row) (T, error) {
	one := new(T)
	var none T
	targets := v.fields(one).targets()
	return func(r Row) (T, error) {
		*one = none
		if err := r.Scan(targets...); err != nil {
			return none, err
		}
		for _, complete := range v.complete {
			complete(one)
		}
		return *one, nil
	}
}

// One returns the first row of a query, or sql.ErrNoRows. rest follows the FROM
// clause, here and below.
func (v *View[T]) One(ctx context.Context, db *DB, rest string, args ...any) (T, error) {
	return QueryOne(ctx, db, v.Reader(), v.query+rest, args...)
}

// All returns all rows of a query, an empty slice when there are none.
func (v *View[T]) All(ctx context.Context, db *DB, rest string, args ...any) ([]T, error) {
	return QueryAll(ctx, db, v.Reader(), v.query+rest, args...)
}

// Each is All that holds one row in memory at a time, like Rows.
func (v *View[T]) Each(ctx context.Context, db *DB, rest string, args ...any) iter.Seq2[T, error] {
	return Rows(ctx, db, v.Reader(), v.query+rest, args...)
}

// In is All with a list of any length, like QueryIn.
func In[T, V any](ctx context.Context, db *DB, v *View[T], before string, values []V, after string, args ...any) ([]T, error) {
	return QueryIn(ctx, db, v.Reader(), v.query+before, values, after, args...)
}

// Page returns a page of the rows that meet the conditions, and the number of all
// of them. order is the ORDER BY clause.
func (v *View[T]) Page(ctx context.Context, db *DB, where Where, order string, page entity.Page) ([]T, int64, error) {
	return QueryPage(ctx, db, v.Reader(), PageQuery{Columns: v.Columns, From: v.from, Where: where, Order: order, Page: page})
}

// Newest returns a page of the rows of a workspace, those with the highest ids
// first, and the number of all of them.
func (v *View[T]) Newest(ctx context.Context, db *DB, workspaceID int64, page entity.Page) ([]T, int64, error) {
	var where Where
	where.Add("workspace_id = ?", workspaceID)
	return v.Page(ctx, db, where, "ORDER BY id DESC", page)
}

// Count returns the number of rows of a query.
func (v *View[T]) Count(ctx context.Context, db *DB, rest string, args ...any) (int64, error) {
	return QueryOne(ctx, db, ScanInt, "SELECT COUNT(*)\nFROM "+v.from+"\n"+rest, args...)
}

// Record reads and writes the rows of a table. Its fields are the only place that
// lists the columns.
type Record[T any] struct {
	View[T]
	table table.Table
}

// NewRecord returns the record of a table, like NewView.
func NewRecord[T any](of table.Table, fields func(*T) Fields, complete ...func(*T)) *Record[T] {
	return &Record[T]{*NewView(of.Name, fields, complete...), of}
}

// Update changes a row and returns it, or sql.ErrNoRows. rest begins with SET.
func (r *Record[T]) Update(ctx context.Context, db *DB, rest string, args ...any) (T, error) {
	return ExecOne(ctx, db, r.Reader(), r.table.Update(rest+"\nRETURNING "+r.Columns), args...)
}

// Delete deletes a row and returns it, or sql.ErrNoRows. rest begins with WHERE.
func (r *Record[T]) Delete(ctx context.Context, db *DB, rest string, args ...any) (T, error) {
	return ExecOne(ctx, db, r.Reader(), r.table.Delete(rest+"\nRETURNING "+r.Columns), args...)
}

// CheckRoom locks a workspace and returns a fault if it has the maximum number of
// rows. what names them.
func (r *Record[T]) CheckRoom(ctx context.Context, db *DB, workspaceID, most int64, what string) error {
	if err := LockWorkspace(ctx, db, workspaceID); err != nil {
		return err
	}
	count, err := r.Count(ctx, db, "WHERE workspace_id = $1", workspaceID)
	if err == nil && count >= most {
		return fault.BadRequestf("At most %d %s are allowed", most, what)
	}
	return err
}

// Write is a statement that stores members of a value. The placeholders of the
// parts that are written by hand, $1 and so on, precede those of the members.
type Write[T any] struct {
	record *Record[T]
	insert bool
	// columns are those of the members at the places, and expressions more columns
	// with the SQL of their values.
	columns     []string
	places      []int
	expressions [][2]string
	// end follows the values.
	end string
	// given is the number of placeholders that are written by hand, and head the
	// statement up to the end.
	given int
	head  string
}

// Insert returns the statement that inserts all columns of a value except some,
// which the database fills in.
func (r *Record[T]) Insert(except ...string) *Write[T] {
	w := &Write[T]{record: r, insert: true}
	for i, column := range r.columns() {
		if !slices.Contains(except, column) {
			w.columns, w.places = append(w.columns, column), append(w.places, i)
		}
	}
	return w.compose()
}

// Set returns the statement that updates columns in the rows that a WHERE clause
// selects.
func (r *Record[T]) Set(where string, columns ...string) *Write[T] {
	w := &Write[T]{record: r, columns: columns, end: "\n" + where}
	for _, column := range columns {
		place := slices.Index(r.columns(), column)
		if place < 0 {
			panic("catalog: " + r.table.Name + " has no column " + column)
		}
		w.places = append(w.places, place)
	}
	return w.compose()
}

// columns returns the columns without the name of the table.
func (r *Record[T]) columns() []string {
	columns := r.fields(new(T)).columns()
	for i, column := range columns {
		columns[i] = strings.TrimPrefix(column, r.table.Name+".")
	}
	return columns
}

// Plus returns the statement with one more column and the SQL of its value.
func (w *Write[T]) Plus(column, value string) *Write[T] {
	more := *w
	more.expressions = append(slices.Clip(w.expressions), [2]string{column, value})
	return more.compose()
}

// OnConflict returns the statement with what happens to existing rows.
func (w *Write[T]) OnConflict(rest string) *Write[T] {
	more := *w
	more.end = "\nON CONFLICT " + rest
	return more.compose()
}

// Replace returns the statement that replaces the row with the same key.
func (w *Write[T]) Replace(key ...string) *Write[T] {
	var sets []string
	for _, column := range w.columns {
		if !slices.Contains(key, column) {
			sets = append(sets, column+" = excluded."+column)
		}
	}
	return w.OnConflict("(" + strings.Join(key, ", ") + ") DO UPDATE\nSET " + inLines(sets))
}

func (w *Write[T]) compose() *Write[T] {
	w.given = highestPlace(w.end)
	for _, expression := range w.expressions {
		w.given = max(w.given, highestPlace(expression[1]))
	}
	columns, values := slices.Clone(w.columns), make([]string, len(w.columns))
	for i := range values {
		values[i] = "$" + strconv.Itoa(w.given+i+1)
	}
	for _, expression := range w.expressions {
		columns, values = append(columns, expression[0]), append(values, expression[1])
	}
	if w.insert {
		w.head = w.record.table.Insert("(" + inLines(columns) + ")\nVALUES (" + inLines(values) + ")").SQL
		return w
	}
	for i, column := range columns {
		columns[i] = column + " = " + values[i]
	}
	w.head = w.record.table.Update("SET " + inLines(columns)).SQL
	return w
}

var placeholder = regexp.MustCompile(`\$(\d+)`)

// highestPlace returns the highest number of a placeholder in a text.
func highestPlace(text string) int {
	highest := 0
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		number, _ := strconv.Atoi(found[1])
		highest = max(highest, number)
	}
	return highest
}

// args returns the arguments of the statement.
func (w *Write[T]) args(value *T, given []any) ([]any, error) {
	if len(given) != w.given {
		return nil, fmt.Errorf("catalog: %d arguments for %d placeholders", len(given), w.given)
	}
	fields := w.record.fields(value)
	args := append(make([]any, 0, len(w.places)+len(given)), given...)
	for _, place := range w.places {
		arg, err := stored(fields[2*place+1])
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return args, nil
}

// Exec runs the statement for a value and returns the number of changed rows.
func (w *Write[T]) Exec(ctx context.Context, db *DB, value *T, given ...any) (int64, error) {
	args, err := w.args(value, given)
	if err != nil {
		return 0, err
	}
	return Exec(ctx, db, table.Statement{Table: w.record.table, SQL: w.head + w.end}, args...)
}

// All is Exec that returns the changed rows.
func (w *Write[T]) All(ctx context.Context, db *DB, value *T, given ...any) ([]T, error) {
	args, err := w.args(value, given)
	if err != nil {
		return nil, err
	}
	return ExecAll(ctx, db, w.record.Reader(), w.returning(), args...)
}

// One is Exec that returns the changed row, or sql.ErrNoRows.
func (w *Write[T]) One(ctx context.Context, db *DB, value *T, given ...any) (T, error) {
	args, err := w.args(value, given)
	if err != nil {
		var none T
		return none, err
	}
	return ExecOne(ctx, db, w.record.Reader(), w.returning(), args...)
}

func (w *Write[T]) returning() table.Statement {
	return table.Statement{Table: w.record.table, SQL: w.head + w.end + "\nRETURNING " + w.record.Columns}
}

// InsertAll inserts values with few statements. The statement has no other columns.
func (w *Write[T]) InsertAll(ctx context.Context, db *DB, values []T) error {
	rows := make([][]any, len(values))
	for i := range values {
		row, err := w.args(&values[i], nil)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	return PutRows(ctx, db, w.record.table, "("+strings.Join(w.columns, ", ")+")", rows, w.end)
}
