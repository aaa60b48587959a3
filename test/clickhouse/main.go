// Command clickhouse serves ClickHouse's HTTP interface for the tests. The engine
// is ClickHouse itself, as the library libchdb that npm installs here; a server
// cannot be installed everywhere.
//
// It serves what internal/logstore/clickhouse uses: queries and inserts with bound
// parameters, settings, databases, formats and compression, users with passwords,
// exceptions with the codes and statuses of a server, and the cancellation of
// reading queries whose client goes away. Unlike a server,
//
//   - it has no sessions, no access rights besides read-only users, no native
//     protocol and no replication;
//   - it answers when a query has ended, as with wait_end_of_query;
//   - it ignores query_id except in the header of the response;
//   - it answers before data is on the disk, unless it is started with -durable.
//
// It stops when its input ends, so that it does not outlive the tests, and then
// removes its folder.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	library := flag.String("library", "", "the path of libchdb")
	folder := flag.String("folder", "", "the folder in which to create the data, which is removed at the end")
	address := flag.String("listen", "127.0.0.1:0", "the address to listen on")
	users := flag.String("users", "default:", "users as name:password, separated by commas; \"/readonly\" at the end of a password limits the user to reading")
	durable := flag.Bool("durable", false, "answer inserts when they are on the disk, as the tables ask for")
	flag.Parse()
	engine, err := openEngine(*library, filepath.Join(*folder, "data"), *durable)
	if err == nil {
		err = serve(engine, *folder, *address, accounts(*users))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// account is a user of the server.
type account struct {
	password string
	readOnly bool
}

func accounts(list string) map[string]account {
	users := map[string]account{}
	for entry := range strings.SplitSeq(list, ",") {
		name, password, _ := strings.Cut(entry, ":")
		password, readOnly := strings.CutSuffix(password, "/readonly")
		users[name] = account{password, readOnly}
	}
	return users
}

// serve prints its address once it can be used, and returns at the end of the
// input.
func serve(engine *engine, folder, address string, users map[string]account) error {
	defer remove(folder)
	pool := newPool(engine)
	if _, err := pool.with("default", nil, func(c *connection) (result, error) { return c.query("SELECT 1", "Null", nil) }); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	server := &http.Server{Handler: newFront(pool, users), ReadHeaderTimeout: time.Minute}
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); _ = server.Close() }()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// remove removes the folder, in which the engine may still be creating files.
func remove(folder string) {
	for range 100 {
		if os.RemoveAll(folder) == nil {
			return
		}
	}
}
