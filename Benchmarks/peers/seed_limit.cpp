// The lower bound: the tables, columns and indexes of `seed-db`, by simdjson on-demand and prepared statements, in one
// transaction without a journal or validation. Followed by fsync and sha256sum, which a seed requires.
// usage: seed_limit FOLDER OUTPUT PEERS     (PEERS: the folder of tables.sql and indexes.sql)
#include <simdjson.h>
#include <sqlite3.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ondemand = simdjson::ondemand;
using Key = ondemand::raw_json_string;
using Value = ondemand::value;
using std::string, std::string_view;

static sqlite3 *db;

static void check(int code, int wanted = SQLITE_OK) {
    if (code != wanted) throw std::runtime_error(sqlite3_errmsg(db));
}
static void run(const string &sql) { check(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr)); }
static string contents(const string &path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    return string(std::istreambuf_iterator<char>(file), {});
}

// Texts are bound without a copy: from the parser's buffer until the next document, or from a buffer of the row.
struct Statement {
    sqlite3_stmt *handle;

    explicit Statement(const char *sql) {
        check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr));
    }
    ~Statement() { sqlite3_finalize(handle); }
    void step() {
        check(sqlite3_step(handle), SQLITE_DONE);
        sqlite3_reset(handle);
    }
    void null(int i) { sqlite3_bind_null(handle, i); }
    void text(int i, string_view text) { sqlite3_bind_text(handle, i, text.data(), (int)text.size(), SQLITE_STATIC); }
    void text(int i, Value value) {
        string_view found;
        if (value.get_string().get(found)) null(i);
        else text(i, found);
    }
    int64_t integer(int i, Value value) {
        int64_t number;
        if (value.get_int64().get(number)) return null(i), -1;
        sqlite3_bind_int64(handle, i, number);
        return number;
    }
    void row(int i, const std::unordered_map<int64_t, int64_t> &rows, int64_t key) {
        auto found = rows.find(key);
        if (found == rows.end()) null(i);
        else sqlite3_bind_int64(handle, i, found->second);
    }
};

template <class Field> static void insert(const string &path, const char *sql, Field field) {
    ondemand::parser parser;
    auto json = simdjson::padded_string::load(path).value();
    Statement statement(sql);
    ondemand::document document = parser.iterate(json);
    for (ondemand::object object : document.get_array()) {
        for (auto member : object) {
            Key key = member.key();
            Value value = member.value();
            field(statement, key, value);
        }
        statement.step();
    }
}

int main(int argc, char **argv) try {
    if (argc != 4) throw std::runtime_error("usage: seed_limit FOLDER OUTPUT PEERS");
    string folder = argv[1], output = argv[2], peers = argv[3];
    check(sqlite3_open(output.c_str(), &db));
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN");
    run(contents(peers + "/tables.sql"));

    std::unordered_map<int64_t, int64_t> users, projects;
    int64_t row = 0;
    insert(folder + "/users.json", "INSERT INTO User VALUES(NULL,?,?,?)", [&](Statement &s, Key k, Value v) {
        if (k == "user_id") users[s.integer(1, v)] = ++row;
        else if (k == "name") s.text(2, v);
        else if (k == "email") s.text(3, v);
    });
    row = 0;
    insert(folder + "/projects.json", "INSERT INTO Project VALUES(NULL,?,?,?,?)", [&](Statement &s, Key k, Value v) {
        if (k == "project_id") projects[s.integer(1, v)] = ++row;
        else if (k == "name") s.text(2, v);
        else if (k == "owner_id") s.row(4, users, s.integer(3, v));
    });
    string date, tags;
    auto task = "INSERT INTO Task VALUES(NULL,?,?,?,?,?,?,?,?,?,?)";
    insert(folder + "/tasks.json", task, [&](Statement &s, Key k, Value v) {
        if (k == "task_id") s.integer(1, v);
        else if (k == "name") s.text(2, v);
        else if (k == "project") s.row(9, projects, s.integer(3, v["id"].value()));
        else if (k == "assigned_user_id") s.row(10, users, s.integer(4, v));
        else if (k == "created_at") {
            string_view text = v.get_string();
            date.assign(text.substr(0, 19)).append(".000Z");
            s.text(5, date);
        }
        else if (k == "tags") {
            tags = string_view(simdjson::to_json_string(v));
            s.text(6, tags);
        }
        else if (k == "done") sqlite3_bind_int(s.handle, 7, bool(v));
        else if (k == "cost") sqlite3_bind_double(s.handle, 8, double(v));
    });
    run(contents(peers + "/indexes.sql"));
    run("COMMIT");
    sqlite3_close(db);

    int file = open(output.c_str(), O_RDONLY);
    if (file < 0 || fsync(file)) throw std::runtime_error("cannot sync " + output);
    close(file);
    if (!freopen((output + ".sha256").c_str(), "w", stdout)) throw std::runtime_error("cannot write the checksum");
    execlp("sha256sum", "sha256sum", output.c_str(), nullptr);
    throw std::runtime_error("sha256sum is not installed");
} catch (const std::exception &error) {
    fprintf(stderr, "%s\n", error.what());
    return 1;
}
