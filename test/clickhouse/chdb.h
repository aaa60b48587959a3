// The part of the C interface of libchdb that the server uses. The library is
// loaded at run time, because npm installs it.
#include <stddef.h>
#include <stdint.h>

typedef struct chdb_result chdb_result;
typedef struct chdb_connection *chdb_connection;
typedef struct chdb_insert_stream *chdb_insert_stream;

// chdb_params are the bound values of a query.
typedef struct {
	size_t count;
	const char **names;
	const char **values;
	size_t *value_lengths;
} chdb_params;

// load_chdb loads the library and returns an error message or NULL.
const char *load_chdb(const char *library);

// skip_syncs makes the library faster where no power is cut: it no longer waits
// for the disk. What it has written survives the end of the process.
void skip_syncs(void);

chdb_connection *open_connection(const char *folder);
void close_connection(chdb_connection *connection);

chdb_result *run_query(chdb_connection *connection, const char *query, size_t length, const char *format, chdb_params params);
chdb_insert_stream start_insert(chdb_connection *connection, const char *query, size_t length, const char *format, chdb_params params);
int append_data(chdb_insert_stream stream, const void *data, size_t length);
const char *insert_error(chdb_insert_stream stream);
chdb_result *finish_insert(chdb_insert_stream stream);
void free_insert(chdb_insert_stream stream);

const char *result_error(chdb_result *result);
const char *result_data(chdb_result *result);
size_t result_length(chdb_result *result);
uint64_t result_rows_read(chdb_result *result);
uint64_t result_bytes_read(chdb_result *result);
uint64_t result_rows_written(chdb_result *result);
uint64_t result_bytes_written(chdb_result *result);
double result_elapsed(chdb_result *result);
void free_result(chdb_result *result);
