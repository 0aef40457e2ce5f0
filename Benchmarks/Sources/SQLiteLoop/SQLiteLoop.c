#include "SQLiteLoop.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

struct item_loop {
    sqlite3 *database;
};

typedef struct {
    int64_t item, owner;
    double hours;
    char *name, *note;
} item;

static const char *const COLUMNS = "\"itemID\", \"name\", \"hours\", \"owner\", \"note\"";

int item_loop_open(const char *path, int creates, item_loop **opened) {
    item_loop *loop = calloc(1, sizeof *loop);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (creates ? SQLITE_OPEN_CREATE : 0);
    int code = sqlite3_open_v2(path, &loop->database, flags, NULL);
    if (!code)
        code = sqlite3_exec(
            loop->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", NULL,
            NULL, NULL);
    if (!code && creates)
        code = sqlite3_exec(
            loop->database,
            "CREATE TABLE \"Item\"(\"_id\" INTEGER PRIMARY KEY, \"itemID\" INTEGER, \"name\" TEXT, \"hours\" REAL, "
            "\"owner\" INTEGER, \"note\" TEXT); CREATE UNIQUE INDEX \"Item_itemID\" ON \"Item\"(\"itemID\")",
            NULL, NULL, NULL);
    *opened = loop;
    return code;
}

void item_loop_close(item_loop *loop) {
    sqlite3_close(loop->database);
    free(loop);
}

static char *copy(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    if (!text) return NULL;
    size_t size = (size_t)sqlite3_column_bytes(statement, column) + 1;
    return memcpy(malloc(size), text, size);
}

static item read_item(sqlite3_stmt *statement) {
    return (item){
        .item = sqlite3_column_int64(statement, 0),
        .name = copy(statement, 1),
        .hours = sqlite3_column_double(statement, 2),
        .owner = sqlite3_column_int64(statement, 3),
        .note = copy(statement, 4),
    };
}

static void free_item(item *item) {
    free(item->name);
    free(item->note);
}

static int prepare(item_loop *loop, const char *condition, sqlite3_stmt **statement) {
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT %s FROM \"Item\"%s", COLUMNS, condition);
    return sqlite3_prepare_v2(loop->database, sql, -1, statement, NULL);
}

int item_loop_fetch(item_loop *loop, int64_t *sum) {
    sqlite3_stmt *statement;
    int code = prepare(loop, "", &statement);
    if (code) return code;
    size_t count = 0, capacity = 0;
    item *items = NULL;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == capacity) items = realloc(items, (capacity = capacity ? capacity * 2 : 16) * sizeof *items);
        items[count++] = read_item(statement);
    }
    for (size_t index = 0; index < count; index++) {
        *sum += items[index].item;
        free_item(&items[index]);
    }
    free(items);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? 0 : code;
}

int item_loop_find(item_loop *loop, int64_t first, int64_t count, int64_t *sum) {
    sqlite3_stmt *statement;
    int code = prepare(loop, " WHERE \"itemID\" = ?", &statement);
    for (int64_t key = first; !code && key < first + count; key++) {
        sqlite3_bind_int64(statement, 1, key);
        if (sqlite3_step(statement) == SQLITE_ROW) {
            item found = read_item(statement);
            *sum += found.item;
            free_item(&found);
        }
        code = sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return code;
}

int item_loop_insert(item_loop *loop, int64_t first, int64_t count, int64_t each) {
    sqlite3_stmt *begin, *commit, *insert;
    char sql[256];
    snprintf(sql, sizeof sql, "INSERT INTO \"Item\"(%s) VALUES(?, ?, ?, ?, ?)", COLUMNS);
    int code = sqlite3_prepare_v2(loop->database, "BEGIN IMMEDIATE", -1, &begin, NULL)
        || sqlite3_prepare_v2(loop->database, "COMMIT", -1, &commit, NULL)
        || sqlite3_prepare_v2(loop->database, sql, -1, &insert, NULL);
    for (int64_t key = first; !code && key < first + count; key++) {
        char name[64];
        snprintf(name, sizeof name, "Build the kettle number %" PRId64, key);
        if ((key - first) % each == 0) {
            sqlite3_step(begin);
            code = sqlite3_reset(begin);
        }
        sqlite3_bind_int64(insert, 1, key);
        sqlite3_bind_text(insert, 2, name, -1, SQLITE_STATIC);
        sqlite3_bind_double(insert, 3, (double)key / 4);
        sqlite3_bind_int64(insert, 4, key % 50);
        if (key % 3) sqlite3_bind_text(insert, 5, "a note", -1, SQLITE_STATIC);
        else sqlite3_bind_null(insert, 5);
        sqlite3_step(insert);
        code = code ? code : sqlite3_reset(insert);
        if ((key - first) % each == each - 1) {
            sqlite3_step(commit);
            code = code ? code : sqlite3_reset(commit);
        }
    }
    sqlite3_finalize(begin);
    sqlite3_finalize(commit);
    sqlite3_finalize(insert);
    return code;
}

void item_loop_barrier(void) {}

size_t allocated_bytes(void) {
#ifdef __APPLE__
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
#else
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
#endif
}
