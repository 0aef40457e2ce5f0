"""sqlite-utils: usage: seed_sqlite_utils.py FOLDER OUTPUT"""

import json
import pathlib
import sys

import sqlite_utils

peers = pathlib.Path(__file__).parent
folder, output = pathlib.Path(sys.argv[1]), sys.argv[2]


def dump(name):
    with open(folder / f"{name}.json", encoding="utf-8") as file:
        return json.load(file)


db = sqlite_utils.Database(output)
db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + (peers / "tables.sql").read_text())
users, projects = {}, {}


def user(number, o):
    users[o["user_id"]] = number
    return {"_id": number, "userID": o["user_id"], "name": o["name"], "email": o["email"]}


def project(number, o):
    projects[o["project_id"]] = number
    return {
        "_id": number,
        "projectID": o["project_id"],
        "name": o["name"],
        "ownerID": o["owner_id"],
        "owner": users.get(o["owner_id"]),
    }


def task(number, o):
    return {
        "_id": number,
        "taskID": o["task_id"],
        "name": o["name"],
        "projectID": o["project"]["id"],
        "assignedUserID": o["assigned_user_id"],
        "createdAt": o["created_at"].replace("Z", ".000Z"),
        "tags": json.dumps(o["tags"], separators=(",", ":")),
        "done": o["done"],
        "cost": o["cost"],
        "project": projects.get(o["project"]["id"]),
        "assignedUser": users.get(o["assigned_user_id"]),
    }


for table, name, row in ("User", "users", user), ("Project", "projects", project), ("Task", "tasks", task):
    db[table].insert_all(row(number, o) for number, o in enumerate(dump(name), 1))
db.executescript((peers / "indexes.sql").read_text())
