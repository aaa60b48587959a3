package main

/*
// With -trimpath in GOFLAGS the build cache would hand one checkout the generated
// files of another, whose line directives name paths that may be gone. The folder
// among the flags keeps them apart.
#cgo CFLAGS: -I${SRCDIR}
#cgo LDFLAGS: -ldl -rdynamic
#include <stdlib.h>
#include "chdb.h"
*/
import "C"

import (
	"errors"
	"unsafe"
)

// engine is ClickHouse in a folder. A process can have one.
type engine struct {
	folder *C.char
}

// openEngine loads the library and opens the folder, which it creates if missing.
// Unless it is durable, it does not wait for the disk.
func openEngine(library, folder string, durable bool) (*engine, error) {
	if !durable {
		C.skip_syncs()
	}
	path := C.CString(library)
	defer C.free(unsafe.Pointer(path))
	if message := C.load_chdb(path); message != nil {
		return nil, errors.New(C.GoString(message))
	}
	return &engine{folder: C.CString("--path=" + folder)}, nil
}

// connection runs one statement at a time. Its settings and its database are its
// own.
type connection struct {
	handle *C.chdb_connection
}

func (e *engine) connect() (*connection, error) {
	handle := C.open_connection(e.folder)
	if handle == nil {
		return nil, errors.New("the engine accepts no connection")
	}
	return &connection{handle}, nil
}

func (c *connection) close() { C.close_connection(c.handle) }

// result is what a statement returns.
type result struct {
	data                                           []byte
	rowsRead, bytesRead, rowsWritten, bytesWritten uint64
	seconds                                        float64
}

// query runs a statement that contains everything it needs. The format applies
// unless the statement names one.
func (c *connection) query(query, format string, params map[string]string) (result, error) {
	text, name := C.CString(query), C.CString(format)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(name))
	bound, free := bind(params)
	defer free()
	return take(C.run_query(c.handle, text, C.size_t(len(query)), name, bound))
}

// insert runs an INSERT without FORMAT clause, with its rows as data in a format.
func (c *connection) insert(query, format string, params map[string]string, data []byte) (result, error) {
	text, name := C.CString(query), C.CString(format)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(name))
	bound, free := bind(params)
	defer free()
	stream := C.start_insert(c.handle, text, C.size_t(len(query)), name, bound)
	defer C.free_insert(stream)
	if message := C.insert_error(stream); message != nil {
		return result{}, errors.New(C.GoString(message))
	}
	if len(data) > 0 {
		// If it fails, finishing the insert returns the reason.
		C.append_data(stream, unsafe.Pointer(&data[0]), C.size_t(len(data)))
	}
	return take(C.finish_insert(stream))
}

// bind copies bound values to the memory of C.
func bind(params map[string]string) (C.chdb_params, func()) {
	n := C.size_t(len(params) + 1)
	pointer := C.size_t(unsafe.Sizeof(uintptr(0)))
	bound := C.chdb_params{
		count:         C.size_t(len(params)),
		names:         (**C.char)(C.calloc(n, pointer)),
		values:        (**C.char)(C.calloc(n, pointer)),
		value_lengths: (*C.size_t)(C.calloc(n, pointer)),
	}
	names, values := unsafe.Slice(bound.names, n), unsafe.Slice(bound.values, n)
	i := 0
	for name, value := range params {
		names[i], values[i] = C.CString(name), C.CString(value)
		unsafe.Slice(bound.value_lengths, n)[i] = C.size_t(len(value))
		i++
	}
	return bound, func() {
		for i := range len(params) {
			C.free(unsafe.Pointer(names[i]))
			C.free(unsafe.Pointer(values[i]))
		}
		C.free(unsafe.Pointer(bound.names))
		C.free(unsafe.Pointer(bound.values))
		C.free(unsafe.Pointer(bound.value_lengths))
	}
}

// take copies a result to the memory of Go and frees it.
func take(r *C.chdb_result) (result, error) {
	if r == nil {
		return result{}, errors.New("the engine returned nothing")
	}
	defer C.free_result(r)
	if message := C.result_error(r); message != nil {
		return result{}, errors.New(C.GoString(message))
	}
	return result{
		data:         C.GoBytes(unsafe.Pointer(C.result_data(r)), C.int(C.result_length(r))),
		rowsRead:     uint64(C.result_rows_read(r)),
		bytesRead:    uint64(C.result_bytes_read(r)),
		rowsWritten:  uint64(C.result_rows_written(r)),
		bytesWritten: uint64(C.result_bytes_written(r)),
		seconds:      float64(C.result_elapsed(r)),
	}, nil
}
