"""Typed models with msgspec, and with orjson by hand.

usage: decode.py msgspec|orjson SHAPE FILE     a worker, as Sources/bench/Worker.swift says
"""

import datetime
import struct
import sys
import time
import zlib
from typing import Optional

import msgspec
import orjson

Model = msgspec.Struct


class Project(Model):
    id: int
    name: str


class Task(Model):
    task_id: int
    name: str
    project: Project
    assigned_user_id: Optional[int]
    created_at: str
    tags: list[str]
    done: bool
    cost: float


class DatedTask(Model):
    task_id: int
    name: str
    project: Project
    assigned_user_id: Optional[int]
    created_at: datetime.datetime
    tags: list[str]
    done: bool
    cost: float


class Author(Model):
    id: int
    name: str
    screen_name: str
    location: str
    description: str
    followers_count: int
    friends_count: int
    statuses_count: int
    verified: bool


class Hashtag(Model):
    text: str


class Entities(Model):
    hashtags: list[Hashtag]


class Status(Model):
    id: int
    id_str: str
    created_at: str
    text: str
    source: str
    truncated: bool
    in_reply_to_screen_name: Optional[str]
    retweet_count: int
    favorite_count: int
    favorited: bool
    lang: str
    user: Author
    entities: Entities


class Twitter(Model):
    statuses: list[Status]


class Price(Model):
    amount: int
    audienceSubCategoryId: int
    seatCategoryId: int


class Area(Model):
    areaId: int


class SeatCategory(Model):
    areas: list[Area]
    seatCategoryId: int


class Performance(Model):
    id: int
    eventId: int
    start: int
    venueCode: str
    prices: list[Price]
    seatCategories: list[SeatCategory]


class Catalog(Model):
    performances: list[Performance]


class Geometry(Model):
    coordinates: list[list[list[float]]]


class Feature(Model):
    geometry: Geometry


class Canada(Model):
    features: list[Feature]


# Models from the dictionaries of orjson, created manually as the same classes.


def hand_task(o, date):
    p = o["project"]
    return Task(
        o["task_id"],
        o["name"],
        Project(p["id"], p["name"]),
        o["assigned_user_id"],
        date(o["created_at"]),
        o["tags"],
        o["done"],
        o["cost"],
    )


def hand_status(o):
    u = o["user"]
    author = Author(
        u["id"],
        u["name"],
        u["screen_name"],
        u["location"],
        u["description"],
        u["followers_count"],
        u["friends_count"],
        u["statuses_count"],
        u["verified"],
    )
    entities = Entities([Hashtag(h["text"]) for h in o["entities"]["hashtags"]])
    return Status(
        o["id"],
        o["id_str"],
        o["created_at"],
        o["text"],
        o["source"],
        o["truncated"],
        o["in_reply_to_screen_name"],
        o["retweet_count"],
        o["favorite_count"],
        o["favorited"],
        o["lang"],
        author,
        entities,
    )


def hand_performance(o):
    prices = [Price(p["amount"], p["audienceSubCategoryId"], p["seatCategoryId"]) for p in o["prices"]]
    seats = [SeatCategory([Area(a["areaId"]) for a in s["areas"]], s["seatCategoryId"]) for s in o["seatCategories"]]
    return Performance(o["id"], o["eventId"], o["start"], o["venueCode"], prices, seats)


def hand_rings(rings):
    return [[[float(number) for number in point] for point in ring] for ring in rings]  # 83 is an int to orjson


def decoder(peer, shape):
    if peer == "msgspec":
        whole, key = {
            "tasks-dates": (list[DatedTask], None),
            "tasks": (list[Task], None),
            "citm": (Catalog, "performances"),
            "canada": (Canada, "features"),
            "twitter": (Twitter, "statuses"),
        }[shape]
        decode = msgspec.json.Decoder(whole).decode
        return decode if key is None else lambda raw: getattr(decode(raw), key)
    loads, date = orjson.loads, datetime.datetime.fromisoformat
    return {
        "tasks-dates": lambda raw: [hand_task(o, date) for o in loads(raw)],
        "tasks": lambda raw: [hand_task(o, str) for o in loads(raw)],
        "citm": lambda raw: [hand_performance(o) for o in loads(raw)["performances"]],
        "canada": lambda raw: [
            Feature(Geometry(hand_rings(o["geometry"]["coordinates"]))) for o in loads(raw)["features"]
        ],
        "twitter": lambda raw: [hand_status(o) for o in loads(raw)["statuses"]],
    }[shape]


# Checksum: see Sources/bench/Checksum.swift


def values(model):
    """The values of a model in the order of its fields."""
    if isinstance(model, str):
        text = model.encode()
        yield struct.pack("<q", len(text)) + text
    elif isinstance(model, float):
        yield struct.pack("<d", model)
    elif isinstance(model, int):
        yield struct.pack("<q", model)
    elif isinstance(model, list):
        yield struct.pack("<q", len(model))
        for element in model:
            yield from values(element)
    elif isinstance(model, datetime.datetime):
        yield struct.pack("<q", int(model.timestamp()))
    elif isinstance(model, (Geometry, Entities)):  # levels on the way, no models
        yield from values(getattr(model, model.__struct_fields__[0]))
    else:
        for field in model.__struct_fields__:
            value = getattr(model, field)
            yield from values([] if value is None else [value] if field in OPTIONAL else value)


OPTIONAL = {"assigned_user_id", "in_reply_to_screen_name"}


def checksum(models):
    crc = 0
    for model in models:
        crc = zlib.crc32(b"".join(values(model)), crc)
    return crc


def main():
    peer, shape, path = sys.argv[1:]
    decode = decoder(peer, shape)
    with open(path, "rb") as file:
        raw = file.read()
    for line in sys.stdin:
        if line.strip() == "check":
            print(checksum(decode(raw)), flush=True)
            continue
        times = []
        for _ in range(int(line)):
            start = time.perf_counter_ns()
            models = decode(raw)
            del models
            times.append(time.perf_counter_ns() - start)
        print(*times, flush=True)


main()
