// Typed models with simdjson (on-demand) and rapidjson (a document, then its values): the values of the Swift models.
// usage: decode simdjson|rapidjson SHAPE FILE     a worker; see Sources/bench/Worker.swift
#ifdef __SSE4_2__
#define RAPIDJSON_SSE42
#endif
#include <rapidjson/document.h>
#include <rapidjson/rapidjson.h>
#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using std::optional, std::string, std::string_view, std::vector;

// ---- Models. A date is seconds since 1970, or the text unchanged.

template <class Date> struct Task {
    int64_t id = 0;
    string name;
    int64_t projectID = 0;
    string projectName;
    optional<int64_t> assignee;
    Date created{};
    vector<string> tags;
    bool done = false;
    double cost = 0;
};
struct Author {
    int64_t id = 0;
    string name, screenName, location, description;
    int64_t followers = 0, friends = 0, statuses = 0;
    bool verified = false;
};
struct Status {
    int64_t id = 0;
    string idText, created, text, source;
    bool truncated = false;
    optional<string> inReplyTo;
    int64_t retweets = 0, favorites = 0;
    bool favorited = false;
    string language;
    Author user;
    vector<string> hashtags;
};
struct Price {
    int64_t amount = 0, audience = 0, seat = 0;
};
struct SeatCategory {
    vector<int64_t> areas;
    int64_t id = 0;
};
struct Performance {
    int64_t id = 0, event = 0, start = 0;
    string venue;
    vector<Price> prices;
    vector<SeatCategory> seats;
};
struct Feature {
    vector<vector<vector<double>>> rings;
};

// ---- Checksum: see Sources/bench/Checksum.swift

struct Checksum {
    uint32_t crc = UINT32_MAX, table[256];

    Checksum() {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xEDB88320 : c >> 1;
            table[i] = c;
        }
    }
    void bytes(const void *start, size_t count) {
        for (size_t i = 0; i < count; i++) crc = crc >> 8 ^ table[(uint8_t)crc ^ ((const uint8_t *)start)[i]];
    }
    void add(int64_t n) { bytes(&n, 8); }
    void add(bool b) { add((int64_t)b); }
    void add(double d) { bytes(&d, 8); }
    void add(const string &s) { add((int64_t)s.size()), bytes(s.data(), s.size()); }
    template <class T> void add(const optional<T> &o) {
        add((int64_t)o.has_value());
        if (o) add(*o);
    }
    template <class T> void add(const vector<T> &list) {
        add((int64_t)list.size());
        for (auto &element : list) add(element);
    }
    template <class Date> void add(const Task<Date> &t) {
        add(t.id), add(t.name), add(t.projectID), add(t.projectName), add(t.assignee), add(t.created), add(t.tags);
        add(t.done), add(t.cost);
    }
    void add(const Author &u) {
        add(u.id), add(u.name), add(u.screenName), add(u.location), add(u.description), add(u.followers);
        add(u.friends), add(u.statuses), add(u.verified);
    }
    void add(const Status &s) {
        add(s.id), add(s.idText), add(s.created), add(s.text), add(s.source), add(s.truncated), add(s.inReplyTo);
        add(s.retweets), add(s.favorites), add(s.favorited), add(s.language), add(s.user), add(s.hashtags);
    }
    void add(const Price &p) { add(p.amount), add(p.audience), add(p.seat); }
    void add(const SeatCategory &s) { add(s.areas), add(s.id); }
    void add(const Performance &p) { add(p.id), add(p.event), add(p.start), add(p.venue), add(p.prices), add(p.seats); }
    void add(const Feature &f) { add(f.rings); }
};

// ---- Dates

static int64_t seconds(string_view s) {
    if (s.size() != 20) return 0;
    auto two = [&](int i) { return (s[i] - '0') * 10 + s[i + 1] - '0'; };
    int month = two(5), year = two(0) * 100 + two(2) - (month <= 2), era = year / 400, ofEra = year - era * 400;
    int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + two(8) - 1;
    int64_t days = (int64_t)era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
    return days * 86400 + two(11) * 3600 + two(14) * 60 + two(17);
}
static void date(string_view s, string &out) { out = s; }
static void date(string_view s, int64_t &out) { out = seconds(s); }

// ---- simdjson on-demand: one forward pass, keys compared as raw bytes (no mapped key holds an escape)

namespace ondemand = simdjson::ondemand;
using Key = ondemand::raw_json_string;
using Value = ondemand::value;

static string text(Value v) { return string(string_view(v.get_string())); }

template <class Each> static void members(ondemand::object object, Each each) {
    for (auto field : object) {
        Key key = field.key();
        Value value = field.value();
        each(key, value);
    }
}
template <class Date> static void read(ondemand::document &document, vector<Task<Date>> &out) {
    for (ondemand::object object : document.get_array()) {
        auto &t = out.emplace_back();
        members(object, [&](Key k, Value v) {
            if (k == "task_id") t.id = v.get_int64();
            else if (k == "name") t.name = text(v);
            else if (k == "project") members(v.get_object(), [&](Key k, Value v) {
                if (k == "id") t.projectID = v.get_int64();
                else if (k == "name") t.projectName = text(v);
            });
            else if (k == "assigned_user_id") { if (!v.is_null()) t.assignee = v.get_int64().value(); }
            else if (k == "created_at") date(v.get_string(), t.created);
            else if (k == "tags") for (Value e : v.get_array()) t.tags.push_back(text(e));
            else if (k == "done") t.done = v.get_bool();
            else if (k == "cost") t.cost = v.get_double();
        });
    }
}
static void read(ondemand::document &document, vector<Status> &out) {
    for (ondemand::object object : document["statuses"].get_array()) {
        auto &s = out.emplace_back();
        members(object, [&](Key k, Value v) {
            if (k == "id") s.id = v.get_int64();
            else if (k == "id_str") s.idText = text(v);
            else if (k == "created_at") s.created = text(v);
            else if (k == "text") s.text = text(v);
            else if (k == "source") s.source = text(v);
            else if (k == "truncated") s.truncated = v.get_bool();
            else if (k == "in_reply_to_screen_name") { if (!v.is_null()) s.inReplyTo = text(v); }
            else if (k == "retweet_count") s.retweets = v.get_int64();
            else if (k == "favorite_count") s.favorites = v.get_int64();
            else if (k == "favorited") s.favorited = v.get_bool();
            else if (k == "lang") s.language = text(v);
            else if (k == "user") members(v.get_object(), [&u = s.user](Key k, Value v) {
                if (k == "id") u.id = v.get_int64();
                else if (k == "name") u.name = text(v);
                else if (k == "screen_name") u.screenName = text(v);
                else if (k == "location") u.location = text(v);
                else if (k == "description") u.description = text(v);
                else if (k == "followers_count") u.followers = v.get_int64();
                else if (k == "friends_count") u.friends = v.get_int64();
                else if (k == "statuses_count") u.statuses = v.get_int64();
                else if (k == "verified") u.verified = v.get_bool();
            });
            else if (k == "entities") for (Value tag : v["hashtags"].get_array()) {
                s.hashtags.push_back(text(tag["text"]));
            }
        });
    }
}
static void read(ondemand::document &document, vector<Performance> &out) {
    for (ondemand::object object : document["performances"].get_array()) {
        auto &p = out.emplace_back();
        members(object, [&](Key k, Value v) {
            if (k == "id") p.id = v.get_int64();
            else if (k == "eventId") p.event = v.get_int64();
            else if (k == "start") p.start = v.get_int64();
            else if (k == "venueCode") p.venue = text(v);
            else if (k == "prices") for (Value e : v.get_array()) {
                auto &price = p.prices.emplace_back();
                members(e.get_object(), [&](Key k, Value v) {
                    if (k == "amount") price.amount = v.get_int64();
                    else if (k == "audienceSubCategoryId") price.audience = v.get_int64();
                    else if (k == "seatCategoryId") price.seat = v.get_int64();
                });
            }
            else if (k == "seatCategories") for (Value e : v.get_array()) {
                auto &seat = p.seats.emplace_back();
                members(e.get_object(), [&](Key k, Value v) {
                    if (k == "seatCategoryId") seat.id = v.get_int64();
                    else if (k == "areas") for (Value area : v.get_array()) {
                        seat.areas.push_back(area["areaId"].get_int64());
                    }
                });
            }
        });
    }
}
static void read(ondemand::document &document, vector<Feature> &out) {
    for (Value object : document["features"].get_array()) {
        auto &feature = out.emplace_back();
        for (Value ring : object["geometry"]["coordinates"].get_array()) {
            auto &points = feature.rings.emplace_back();
            for (Value pair : ring.get_array()) {
                auto &point = points.emplace_back();
                point.reserve(2);
                for (Value d : pair.get_array()) point.push_back(d.get_double());
            }
        }
    }
}

// ---- rapidjson: members in the order of the text; full precision, because its doubles differ in the last bits otherwise

using Tree = rapidjson::Value;

static string_view view(const Tree &v) { return v.IsString() ? string_view(v.GetString(), v.GetStringLength()) : ""; }
static string text(const Tree &v) { return string(view(v)); }
static const Tree &at(const Tree &object, const char *key) {
    static const Tree none(rapidjson::kArrayType);
    auto member = object.FindMember(key);
    return member == object.MemberEnd() ? none : member->value;
}
template <class Each> static void members(const Tree &object, Each each) {
    for (auto &member : object.GetObject()) each(view(member.name), member.value);
}
template <class Date> static void read(const Tree &document, vector<Task<Date>> &out) {
    out.reserve(document.Size());
    for (auto &object : document.GetArray()) {
        auto &t = out.emplace_back();
        members(object, [&](string_view k, const Tree &v) {
            if (k == "task_id") t.id = v.GetInt64();
            else if (k == "name") t.name = text(v);
            else if (k == "project") members(v, [&](string_view k, const Tree &v) {
                if (k == "id") t.projectID = v.GetInt64();
                else if (k == "name") t.projectName = text(v);
            });
            else if (k == "assigned_user_id") { if (v.IsInt64()) t.assignee = v.GetInt64(); }
            else if (k == "created_at") date(view(v), t.created);
            else if (k == "tags") {
                t.tags.reserve(v.Size());
                for (auto &e : v.GetArray()) t.tags.push_back(text(e));
            }
            else if (k == "done") t.done = v.GetBool();
            else if (k == "cost") t.cost = v.GetDouble();
        });
    }
}
static void read(const Tree &document, vector<Status> &out) {
    auto &statuses = at(document, "statuses");
    out.reserve(statuses.Size());
    for (auto &object : statuses.GetArray()) {
        auto &s = out.emplace_back();
        members(object, [&](string_view k, const Tree &v) {
            if (k == "id") s.id = v.GetInt64();
            else if (k == "id_str") s.idText = text(v);
            else if (k == "created_at") s.created = text(v);
            else if (k == "text") s.text = text(v);
            else if (k == "source") s.source = text(v);
            else if (k == "truncated") s.truncated = v.GetBool();
            else if (k == "in_reply_to_screen_name") { if (v.IsString()) s.inReplyTo = text(v); }
            else if (k == "retweet_count") s.retweets = v.GetInt64();
            else if (k == "favorite_count") s.favorites = v.GetInt64();
            else if (k == "favorited") s.favorited = v.GetBool();
            else if (k == "lang") s.language = text(v);
            else if (k == "user") members(v, [&u = s.user](string_view k, const Tree &v) {
                if (k == "id") u.id = v.GetInt64();
                else if (k == "name") u.name = text(v);
                else if (k == "screen_name") u.screenName = text(v);
                else if (k == "location") u.location = text(v);
                else if (k == "description") u.description = text(v);
                else if (k == "followers_count") u.followers = v.GetInt64();
                else if (k == "friends_count") u.friends = v.GetInt64();
                else if (k == "statuses_count") u.statuses = v.GetInt64();
                else if (k == "verified") u.verified = v.GetBool();
            });
            else if (k == "entities") for (auto &tag : at(v, "hashtags").GetArray()) {
                s.hashtags.push_back(text(at(tag, "text")));
            }
        });
    }
}
static void read(const Tree &document, vector<Performance> &out) {
    auto &performances = at(document, "performances");
    out.reserve(performances.Size());
    for (auto &object : performances.GetArray()) {
        auto &p = out.emplace_back();
        members(object, [&](string_view k, const Tree &v) {
            if (k == "id") p.id = v.GetInt64();
            else if (k == "eventId") p.event = v.GetInt64();
            else if (k == "start") p.start = v.GetInt64();
            else if (k == "venueCode") p.venue = text(v);
            else if (k == "prices") {
                p.prices.reserve(v.Size());
                for (auto &e : v.GetArray()) {
                    auto &price = p.prices.emplace_back();
                    members(e, [&](string_view k, const Tree &v) {
                        if (k == "amount") price.amount = v.GetInt64();
                        else if (k == "audienceSubCategoryId") price.audience = v.GetInt64();
                        else if (k == "seatCategoryId") price.seat = v.GetInt64();
                    });
                }
            }
            else if (k == "seatCategories") {
                p.seats.reserve(v.Size());
                for (auto &e : v.GetArray()) {
                    auto &seat = p.seats.emplace_back();
                    seat.id = at(e, "seatCategoryId").GetInt64();
                    auto &areas = at(e, "areas");
                    seat.areas.reserve(areas.Size());
                    for (auto &area : areas.GetArray()) seat.areas.push_back(at(area, "areaId").GetInt64());
                }
            }
        });
    }
}
static void read(const Tree &document, vector<Feature> &out) {
    for (auto &object : at(document, "features").GetArray()) {
        auto &feature = out.emplace_back();
        for (auto &ring : at(at(object, "geometry"), "coordinates").GetArray()) {
            auto &points = feature.rings.emplace_back();
            points.reserve(ring.Size());
            for (auto &pair : ring.GetArray()) {
                auto &point = points.emplace_back();
                point.reserve(2);
                for (auto &d : pair.GetArray()) point.push_back(d.GetDouble());
            }
        }
    }
}

// ---- The worker

template <class Model> static vector<Model> decode(const string &peer, const string &json) {
    vector<Model> out;
    if (peer == "simdjson") {
        static ondemand::parser parser;
        ondemand::document document = parser.iterate(json.data(), json.size(), json.capacity());
        read(document, out);
    } else {
        rapidjson::Document document;
        document.Parse<rapidjson::kParseFullPrecisionFlag>(json.data(), json.size());
        if (document.HasParseError()) throw std::runtime_error("rapidjson cannot read the text");
        read(static_cast<const Tree &>(document), out);
    }
    return out;
}
template <class Model> static void serve(const string &peer, const string &json) {
    using Clock = std::chrono::steady_clock;
    volatile size_t sink = 0;
    for (string line; std::getline(std::cin, line);) {
        if (line == "check") {
            Checksum checksum;
            for (auto &model : decode<Model>(peer, json)) checksum.add(model);
            printf("%u", ~checksum.crc);
        } else {
            for (int i = 0, count = atoi(line.c_str()); i < count; i++) {
                auto start = Clock::now();
                sink = sink + decode<Model>(peer, json).size();
                auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
                printf(i ? " %lld" : "%lld", (long long)time);
            }
        }
        puts("");
        fflush(stdout);
    }
}
static string load(const char *path) {
    string json;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) throw std::runtime_error(string("cannot open ") + path);
    size_t count = file.tellg();
    json.reserve(count + simdjson::SIMDJSON_PADDING);
    json.resize(count);
    file.seekg(0).read(json.data(), count);
    return json;
}
int main(int argc, char **argv) try {
    if (argc != 4) throw std::runtime_error("usage: decode simdjson|rapidjson SHAPE FILE");
    string peer = argv[1], shape = argv[2], json = load(argv[3]);
    if (shape == "tasks-dates") serve<Task<int64_t>>(peer, json);
    else if (shape == "tasks") serve<Task<string>>(peer, json);
    else if (shape == "citm") serve<Performance>(peer, json);
    else if (shape == "canada") serve<Feature>(peer, json);
    else if (shape == "twitter") serve<Status>(peer, json);
    else throw std::runtime_error("no models for " + shape);
} catch (const std::exception &error) {
    fprintf(stderr, "%s\n", error.what());
    return 1;
}
