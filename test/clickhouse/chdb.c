#include "chdb.h"

#include <dlfcn.h>
#include <string.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// The library calls these instead of those of libc, because the program exports
// them. Elsewhere, the files are always synced.
static int in_memory;
int fsync(int file) { return in_memory ? 0 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return in_memory ? 0 : (int)syscall(SYS_fdatasync, file); }
void skip_syncs(void) { in_memory = 1; }
#else
void skip_syncs(void) {}
#endif

static struct {
	void (*set_signal_handlers_enabled)(int);
	chdb_connection *(*connect)(int, char **);
	void (*close_conn)(chdb_connection *);
	chdb_result *(*query_with_params_n)(chdb_connection, const char *, size_t, const char *, size_t,
		const char *const *, const size_t *, const char *const *, const size_t *, size_t);
	chdb_insert_stream (*stream_insert_with_params_n)(chdb_connection, const char *, size_t, const char *, size_t,
		const char *const *, const size_t *, const char *const *, const size_t *, size_t);
	int (*stream_append)(chdb_insert_stream, const void *, size_t);
	const char *(*stream_insert_error)(chdb_insert_stream);
	chdb_result *(*stream_done)(chdb_insert_stream);
	void (*destroy_insert_stream)(chdb_insert_stream);
	const char *(*result_error)(chdb_result *);
	const char *(*result_buffer)(chdb_result *);
	size_t (*result_length)(chdb_result *);
	uint64_t (*result_storage_rows_read)(chdb_result *);
	uint64_t (*result_storage_bytes_read)(chdb_result *);
	uint64_t (*result_rows_written)(chdb_result *);
	uint64_t (*result_bytes_written)(chdb_result *);
	double (*result_elapsed)(chdb_result *);
	void (*destroy_query_result)(chdb_result *);
} chdb;

#define LOAD(name) \
	if (!(*(void **)&chdb.name = dlsym(library, "chdb_" #name))) \
	return dlerror()

const char *load_chdb(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return dlerror();
	LOAD(set_signal_handlers_enabled);
	LOAD(connect);
	LOAD(close_conn);
	LOAD(query_with_params_n);
	LOAD(stream_insert_with_params_n);
	LOAD(stream_append);
	LOAD(stream_insert_error);
	LOAD(stream_done);
	LOAD(destroy_insert_stream);
	LOAD(result_error);
	LOAD(result_buffer);
	LOAD(result_length);
	LOAD(result_storage_rows_read);
	LOAD(result_storage_bytes_read);
	LOAD(result_rows_written);
	LOAD(result_bytes_written);
	LOAD(result_elapsed);
	LOAD(destroy_query_result);
	chdb.set_signal_handlers_enabled(0); // they are Go's
	return NULL;
}

chdb_connection *open_connection(const char *folder)
{
	char *arguments[] = {"clickhouse", (char *)folder};
	return chdb.connect(2, arguments);
}

void close_connection(chdb_connection *connection) { chdb.close_conn(connection); }

chdb_result *run_query(chdb_connection *connection, const char *query, size_t length, const char *format, chdb_params params)
{
	return chdb.query_with_params_n(*connection, query, length, format, strlen(format),
		params.names, NULL, params.values, params.value_lengths, params.count);
}

chdb_insert_stream start_insert(chdb_connection *connection, const char *query, size_t length, const char *format, chdb_params params)
{
	return chdb.stream_insert_with_params_n(*connection, query, length, format, strlen(format),
		params.names, NULL, params.values, params.value_lengths, params.count);
}

int append_data(chdb_insert_stream stream, const void *data, size_t length) { return chdb.stream_append(stream, data, length); }
const char *insert_error(chdb_insert_stream stream) { return chdb.stream_insert_error(stream); }
chdb_result *finish_insert(chdb_insert_stream stream) { return chdb.stream_done(stream); }
void free_insert(chdb_insert_stream stream) { chdb.destroy_insert_stream(stream); }

const char *result_error(chdb_result *result) { return chdb.result_error(result); }
const char *result_data(chdb_result *result) { return chdb.result_buffer(result); }
size_t result_length(chdb_result *result) { return chdb.result_length(result); }
uint64_t result_rows_read(chdb_result *result) { return chdb.result_storage_rows_read(result); }
uint64_t result_bytes_read(chdb_result *result) { return chdb.result_storage_bytes_read(result); }
uint64_t result_rows_written(chdb_result *result) { return chdb.result_rows_written(result); }
uint64_t result_bytes_written(chdb_result *result) { return chdb.result_bytes_written(result); }
double result_elapsed(chdb_result *result) { return chdb.result_elapsed(result); }
void free_result(chdb_result *result) { chdb.destroy_query_result(result); }
