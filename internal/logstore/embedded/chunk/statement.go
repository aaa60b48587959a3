package chunk

import (
	"context"
	"database/sql/driver"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Statements runs statements without a result that recur. The driver would prepare
// them each time and keep a core busy with waiting: DuckDB may run a statement on one
// of its own threads, and then asks all the time whether it is done. It is not safe for
// concurrent use.
type Statements struct {
	conn     mapping.Connection
	prepared map[string]mapping.PreparedStatement
}

// NewStatements returns the statements of a connection, which must be one of the
// driver. Close them before it.
func NewStatements(conn driver.Conn) (*Statements, error) {
	raw, err := connection(conn)
	return &Statements{conn: raw, prepared: map[string]mapping.PreparedStatement{}}, err
}

// Exec runs a statement with values for its parameters.
func (s *Statements) Exec(text string, values ...int64) error {
	statement, err := s.prepare(text)
	if err != nil {
		return err
	}
	for i, v := range values {
		if mapping.BindInt64(statement, mapping.IdxT(i+1), v) == mapping.StateError {
			return problem(mapping.PrepareError(statement))
		}
	}
	var result mapping.Result
	defer mapping.DestroyResult(&result)
	return run(context.Background(), s.conn, statement, &result)
}

func (s *Statements) prepare(text string) (mapping.PreparedStatement, error) {
	statement, ok := s.prepared[text]
	if ok {
		return statement, nil
	}
	if mapping.Prepare(s.conn, text, &statement) == mapping.StateError {
		defer mapping.DestroyPrepare(&statement)
		return statement, problem(mapping.PrepareError(statement))
	}
	s.prepared[text] = statement
	return statement, nil
}

// run runs a statement until the context ends.
func run(ctx context.Context, conn mapping.Connection, statement mapping.PreparedStatement, result *mapping.Result) error {
	var pending mapping.PendingResult
	defer mapping.DestroyPending(&pending)
	if mapping.PendingPrepared(statement, &pending) == mapping.StateError {
		return problem(mapping.PendingError(pending))
	}
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		mapping.Interrupt(conn)
	})
	defer func() {
		if !stop() {
			<-interrupted // or it could interrupt the connection's next query
		}
	}()
	await(pending)
	err := finish(pending, result)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// finish returns the result of a statement that is done. Of one that has failed,
// ExecutePending would say only that it cannot be executed any more.
func finish(pending mapping.PendingResult, result *mapping.Result) error {
	if message := mapping.PendingError(pending); message != "" {
		return problem(message)
	}
	if mapping.ExecutePending(pending, result) == mapping.StateError {
		return &duckdb.Error{Type: duckdb.ErrorType(mapping.ResultErrorType(result)), Msg: mapping.ResultError(result)}
	}
	return nil
}

// The pauses between questions whether a thread of DuckDB is done.
const (
	firstPause = 20 * time.Microsecond
	maxPause   = time.Millisecond
)

// await takes part in running a statement until that is done or has failed.
func await(pending mapping.PendingResult) {
	for pause := firstPause; ; {
		switch state := mapping.PendingExecuteTask(pending); {
		case mapping.PendingExecutionIsFinished(state):
			return
		case state == mapping.PendingStateNoTasksAvailable: // others have the last of it
			time.Sleep(pause)
			pause = min(2*pause, maxPause)
		}
	}
}

// causes are the beginnings of messages about the database rather than the statement.
var causes = map[string]duckdb.ErrorType{
	"IO Error": duckdb.ErrorTypeIO, "FATAL Error": duckdb.ErrorTypeFatal, "INTERNAL Error": duckdb.ErrorTypeInternal,
	"Serialization Error": duckdb.ErrorTypeSerialization, "Out of Memory Error": duckdb.ErrorTypeOutOfMemory,
}

// problem returns an error of which DuckDB gives only the message.
func problem(message string) error {
	cause, _, _ := strings.Cut(message, ":")
	return &duckdb.Error{Type: causes[cause], Msg: message} // ErrorTypeInvalid for others
}

// Close releases the statements.
func (s *Statements) Close() {
	for _, statement := range s.prepared {
		mapping.DestroyPrepare(&statement)
	}
	clear(s.prepared)
}
