#ifndef UPSERT_LOOP_H
#define UPSERT_LOOP_H

#include <stddef.h>
#include <stdint.h>

// Prepared statements that write values from memory: the lower bound of every import.
// Functions return 0, or SQLite's result code.

typedef struct upsert_file upsert_file;
typedef struct upsert_rows upsert_rows;

// Opens an existing file in WAL mode, with the settings of a store.
int upsert_file_open(const char *path, upsert_file **opened);
void upsert_file_close(upsert_file *file);

// Runs statements without parameters or rows.
int upsert_file_run(upsert_file *file, const char *sql);
// Reads the rows of a query whose parameter is a text into memory.
int upsert_file_read(upsert_file *file, const char *sql, const char *text, size_t size, upsert_rows **rows);
// Runs a statement once for each row, with its values as the parameters. The statement is compiled at its first use.
int upsert_file_write(upsert_file *file, const char *sql, const upsert_rows *rows);
// Adds the values in the rows of a query to a checksum.
int upsert_file_checksum(upsert_file *file, const char *sql, uint64_t *checksum);

size_t upsert_rows_count(const upsert_rows *rows);
void upsert_rows_free(upsert_rows *rows);

#endif
