#ifndef SQLITE_LOOP_H
#define SQLITE_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "UpsertLoop.h"

// Accesses to the same table in C: the lower bound of every layer above SQLite.
// Functions return 0, or SQLite's result code.

typedef struct item_loop item_loop;

// Opens a file; if `creates`, with an empty table.
int item_loop_open(const char *path, int creates, item_loop **opened);
void item_loop_close(item_loop *loop);

// Reads all rows into separate structures and frees them; `sum` receives the sum of a column.
int item_loop_fetch(item_loop *loop, int64_t *sum);
// Reads the row of each key with a prepared statement.
int item_loop_find(item_loop *loop, int64_t first, int64_t count, int64_t *sum);
// Inserts rows, `each` of them in a transaction.
int item_loop_insert(item_loop *loop, int64_t first, int64_t count, int64_t each);

// Does nothing, but cannot be optimized away by the compiler of its callers.
void item_loop_barrier(void);

// Bytes that the process has allocated and not freed.
size_t allocated_bytes(void);

#endif
