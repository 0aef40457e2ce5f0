import Testing

extension ManifestIssuesTests {
    /// One mistake in the valid manifest, and the expected issues.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let part: String
        let replacement: String
        let issues: [String]

        init(_ part: String, _ replacement: String, _ issues: String...) {
            (self.part, self.replacement, self.issues) = (part, replacement, issues)
        }

        var testDescription: String { replacement }
    }

    static let mistakes: [Mistake] = members + attributes + names + relationships + matching + inverses + sources

    static let members = [
        Mistake(
            #""model": {"#, #""modle": {"#,
            "1:1 $.model: expected the key 'model', found no such key; did you mean 'modle'?",
            "2:3 $.modle: expected the key 'model' or 'sources', found an unknown key; did you mean 'model'?"),
        Mistake(
            #""identifiedBy": "id","#, #""identifiedby": "id","#,
            "4:7 $.model.Task.identifiedby: expected the key 'identifiedBy', 'elementName', 'attributes', 'relationships' or 'indexes', found an unknown key; did you mean 'identifiedBy'?"
        ),
        Mistake(
            #"{ "from": "title", "type""#, #"{ "form": "title", "type""#,
            "7:19 $.model.Task.attributes.name.form: expected the key 'from', 'match', 'type', 'format', 'optional', 'unique', 'searchable', 'default' or 'join', found an unknown key; did you mean 'from'?"
        ),
        Mistake(
            #""entity": "Tag" }"#, #""entity": "Tag", "where": 1 }"#,
            "28:47 $.sources[2].where: expected the key 'file', 'entity', 'at', 'each' or 'format', found an unknown key"
        ),
        Mistake(
            #"{ "text": { "type": "string" } }"#, #"["text"]"#,
            "23:29 $.model.Step.attributes: expected an object of objects, found an array"),
        Mistake(
            #"{ "text": { "type": "string" } }"#, #"{ "text": null, "more": { "type": null } }"#,
            "23:39 $.model.Step.attributes.text: expected a value, found null",
            "23:63 $.model.Step.attributes.more.type: expected a type (string, integer, double, boolean, date, decimal, uuid, url, data, json, or a list such as [string]), found null"
        ),
        Mistake(
            #"{ "type": "string" } }"#, #""string" }"#,
            "19:60 $.model.User.attributes.mail: expected an object, found a string"),
        Mistake(
            #""identifiedBy": "code""#, #""identifiedBy": 3"#,
            "13:38 $.model.Task.relationships.tags.by: 'Tag' has no identity for a key",
            "22:30 $.model.Tag.identifiedBy: expected a string, found a number"),
        Mistake(
            #"{ "file": "tags.ndjson", "entity": "Tag" }"#, "7",
            "28:5 $.sources[2]: expected an object, found a number"),
        Mistake(
            #"{ "from": "title", "type": "string" },"#, #"{ "from": "title", "from": "name", "type": "string" },"#,
            "7:36 $.model.Task.attributes.name.from: expected unique keys, found a duplicate key"),
        Mistake(
            #""steps": {"#, #""steps" {"#,
            "14:17 $.model.Task.relationships.steps: expected a colon after the key, found '{'"),
    ]

    static let attributes = [
        Mistake(
            #""from": "title", "type": "string""#, #""from": "title", "type": "text""#,
            "7:44 $.model.Task.attributes.name.type: expected a type (string, integer, double, boolean, date, decimal, uuid, url, data, json, or a list such as [string]), found another string"
        ),
        Mistake(
            #""from": "title", "type": "string""#, #""from": "title", "type": "strin""#,
            "7:44 $.model.Task.attributes.name.type: expected a type (string, integer, double, boolean, date, decimal, uuid, url, data, json, or a list such as [string]), found another string; did you mean 'string'?"
        ),
        Mistake(
            #""from": "title", "type": "string""#, #""from": "title""#,
            "7:17 $.model.Task.attributes.name.type: expected the key 'type', found no such key"),
        Mistake(
            #""from": "title""#, #""from": "items.@summ.x""#,
            "7:27 $.model.Task.attributes.name.from: expected a collection operator, found '@summ' in the key path 'items.@summ.x'; did you mean '@sum'?"
        ),
        Mistake(
            #""from": "title""#, #""from": "a..b""#,
            "7:27 $.model.Task.attributes.name.from: expected a key, found an empty component in the key path 'a..b'"),
        Mistake(
            #""from": "title""#, #""from": 1"#,
            "7:27 $.model.Task.attributes.name.from: expected a string, found a number"),
        Mistake(
            #""from": "title""#, #""from": ["a", "b"]"#,
            "7:27 $.model.Task.attributes.name.from: a list of key paths needs the member 'join'"),
        Mistake(
            #""from": "title""#, #""from": [], "join": "-""#,
            "7:27 $.model.Task.attributes.name.from: expected at least one key path"),
        Mistake(
            #""from": "title""#, #""join": "-""#,
            "7:19 $.model.Task.attributes.name.join: 'join' needs a list of key paths in 'from'"),
        Mistake(
            #""from": "title", "type": "string""#, #""from": ["a", "b"], "join": "-", "type": "[string]""#,
            "7:27 $.model.Task.attributes.name.from: 'join' makes a string, so the type cannot be [string]"),
        Mistake(
            #""from": "title""#, #""from": [{ "from": "a", "match": "a" }, { "match": "(b)" }, 3], "join": "-""#,
            "7:52 $.model.Task.attributes.name.from[0].match: the regular expression has no capture: put the part to extract in parentheses",
            "7:59 $.model.Task.attributes.name.from[1].from: expected the key 'from', found no such key",
            "7:79 $.model.Task.attributes.name.from[2]: expected a string, found a number"),
        Mistake(
            #""from": "title""#, #""from": [{ "form": "a" }, { "from": "b.@conut" }], "join": "-""#,
            "7:28 $.model.Task.attributes.name.from[0].from: expected the key 'from', found no such key; did you mean 'form'?",
            "7:30 $.model.Task.attributes.name.from[0].form: expected the key 'from' or 'match', found an unknown key; did you mean 'from'?",
            "7:55 $.model.Task.attributes.name.from[1].from: expected a collection operator, found '@conut' in the key path 'b.@conut'; did you mean '@count'?"
        ),
        Mistake(
            #""from": "title""#, #""from": "@key""#,
            #"7:27 $.model.Task.attributes.name.from: '@key' needs a source or a relationship of Task with "each": "member""#
        ),
        Mistake(
            #""from": "title""#, #""match": "^(a""#,
            "7:28 $.model.Task.attributes.name.match: invalid regular expression: expected ')'"),
        Mistake(
            #""from": "title""#, #""match": "^a""#,
            "7:28 $.model.Task.attributes.name.match: the regular expression has no capture: put the part to extract in parentheses"
        ),
        Mistake(
            #""from": "title""#, #""optional": "no""#,
            "7:31 $.model.Task.attributes.name.optional: expected a boolean, found a string"),
        Mistake(
            #""from": "title""#, #""default": 7"#,
            "7:30 $.model.Task.attributes.name.default: the default of an attribute of type string must be a string"),
        Mistake(
            #""id": { "type": "integer" },\#n"#, #""id": { "type": "integer", "default": 7 },\#n"#,
            "6:36 $.model.Task.attributes.id.default: an identity cannot have a default"),
        Mistake(
            #""from": "tags", "type": "[string]""#, #""from": "tags", "type": "[string]", "default": ["a", 1]"#,
            "9:68 $.model.Task.attributes.tagIDs.default: the default of an attribute of type [string] must be an array in which each element is a string"
        ),
    ]

    static let names = [
        Mistake(
            #""name": {"#, "\"\": {",
            #"7:9 $.model.Task.attributes[""]: every attribute needs a name"#),
        Mistake(
            #""name": {"#, #""_ID": {"#,
            "7:9 $.model.Task.attributes._ID: '_id' is the name of the row number in every table"),
        Mistake(
            #""name": {"#, #""Id": {"#,
            "7:9 $.model.Task.attributes.Id: the name 'Id' differs from 'id' in case only, which SQLite ignores"),
        Mistake(
            #""name": {"#, #""user": {"#,
            "12:9 $.model.Task.relationships.user: 'user' is an attribute already; a relationship needs another name"
        ),
        Mistake(
            #""name": {"#, #""sqlite_x": {"#,
            "7:9 $.model.Task.attributes.sqlite_x: names that begin with 'sqlite_' belong to SQLite"),
        Mistake(
            #""name": {"#, #""a\u0000b": {"#,
            #"7:9 $.model.Task.attributes["a\u0000b"]: a name cannot contain NUL"#),
        Mistake(
            #""Step": { "attr"#, #""_mappingkit_pending": {}, "Step": { "attr"#,
            "23:5 $.model._mappingkit_pending: the prefix '_mappingkit' is reserved"),
        Mistake(
            #""Step": { "attr"#, #""task": {}, "Step": { "attr"#,
            "23:5 $.model.task: the name 'task' differs from 'Task' in case only, which SQLite ignores"),
        Mistake(
            #""Step": { "attr"#, #""Task_tags": {}, "Step": { "attr"#,
            "13:9 $.model.Task.relationships.tags: its table would be called 'Task_tags', as the entity 'Task_tags' is"),
    ]

    static let relationships = [
        Mistake(
            #""to": "User""#, #""to": "Usr""#,
            "12:25 $.model.Task.relationships.user.to: unknown entity 'Usr'; did you mean 'User'?"),
        Mistake(
            #""to": "User", "#, "",
            "12:17 $.model.Task.relationships.user.to: expected the key 'to', found no such key"),
        Mistake(
            #""by": "userID""#, #""by": "userId""#,
            "12:39 $.model.Task.relationships.user.by: 'Task' has no attribute 'userId'; did you mean 'userID'?"),
        Mistake(
            #""by": "userID""#, #""by": []"#,
            "12:39 $.model.Task.relationships.user.by: expected the name of at least one attribute"),
        Mistake(
            #""by": "userID""#, #""by": ["userID", "id"]"#,
            "12:39 $.model.Task.relationships.user.by: expected one key for each identity attribute of 'User' ('id'), found 2"
        ),
        Mistake(
            #""by": "userID""#, #""by": "name""#,
            "12:39 $.model.Task.relationships.user.by: 'name' is of type string, but must be integer, the type of 'User.id'"
        ),
        Mistake(
            #""by": "userID""#, #""by": "userID", "any": true"#,
            "12:56 $.model.Task.relationships.user.any: 'any' needs several attributes in 'by'"),
        Mistake(
            #""by": "userID""#, #""by": ["userID", "name"], "any": true"#,
            "12:50 $.model.Task.relationships.user.by[1]: 'name' is of type string, but must be integer, the type of 'User.id'"
        ),
        Mistake(
            #""by": "userID""#, #""from": "user", "by": "userID""#,
            "12:49 $.model.Task.relationships.user.by: a relationship is either nested ('from') or connected by key ('by')"
        ),
        Mistake(
            #""by": "userID""#, #""from": "user", "when": { "name": "x" }"#,
            "12:57 $.model.Task.relationships.user.when: 'when' needs the keys of 'by'"),
        Mistake(
            #""by": "userID""#, #""by": "userID", "when": { "nam": "x" }"#,
            "12:66 $.model.Task.relationships.user.when.nam: 'Task' has no attribute 'nam'; did you mean 'name'?"),
        Mistake(
            #""by": "userID""#, #""by": "userID", "when": { "name": 7 }"#,
            "12:67 $.model.Task.relationships.user.when.name: 'name' is of type string, so it is compared with a string"
        ),
        Mistake(
            #""from": "steps""#, #""from": "steps.@unionOfArrays.all""#,
            "14:28 $.model.Task.relationships.steps.from: the key path of a relationship cannot contain an operator such as '@count'"
        ),
        Mistake(
            #""by": "tagIDs""#, #""by": "name""#,
            "13:38 $.model.Task.relationships.tags.by: 'name' is of type string, but must be [string], a list of the type of 'Tag.code'"
        ),
        Mistake(
            #""from": "steps", "#, "",
            "14:18 $.model.Task.relationships.steps: no data: add 'from', 'by', or an inverse that has one of them"
        ),
        Mistake(
            #""identifiedBy": "code", "#, "",
            "13:38 $.model.Task.relationships.tags.by: 'Tag' has no identity for a key"),
        Mistake(
            #""identifiedBy": "code""#, #""identifiedBy": "cod""#,
            "22:30 $.model.Tag.identifiedBy: 'Tag' has no attribute 'cod'; did you mean 'code'?"),
        Mistake(
            #""identifiedBy": "code""#, #""identifiedBy": []"#,
            "13:38 $.model.Task.relationships.tags.by: 'Tag' has no identity for a key",
            "22:30 $.model.Tag.identifiedBy: expected the name of at least one attribute"),
        Mistake(
            #""identifiedBy": ["id"]"#, #""identifiedBy": ["id", "id"]"#,
            "12:39 $.model.Task.relationships.user.by: expected one key for each identity attribute of 'User' ('id', 'id'), found 1",
            "18:30 $.model.User.identifiedBy[1]: 'id' occurs twice in the identity"),
        Mistake(
            #""tagIDs": { "from": "tags", "type": "[string]" }"#, #""tagIDs": { "type": "[integer]" }"#,
            "13:38 $.model.Task.relationships.tags.by: 'tagIDs' is of type [integer], but must be [string], a list of the type of 'Tag.code'"
        ),
    ]

    static let matching = [
        Mistake(
            #""by": "userID""#, #""by": "name", "matching": "mail""#,
            "12:59 $.model.Task.relationships.user.matching: expected a unique attribute of 'User', found 'mail', which several objects can have; declare the attribute as unique"
        ),
        Mistake(
            #""by": "userID""#, #""by": ["name", "userID"], "matching": ["mail", "id"]"#,
            "12:71 $.model.Task.relationships.user.matching: expected unique attributes of 'User', found 'mail', 'id', which several objects can have; declare a unique index of the attributes"
        ),
        Mistake(
            #""by": "userID""#, #""by": "name", "matching": "mial""#,
            "12:59 $.model.Task.relationships.user.matching: 'User' has no attribute 'mial'; did you mean 'mail'?"),
        Mistake(
            #""by": "userID""#, #""by": "userID", "matching": []"#,
            "12:61 $.model.Task.relationships.user.matching: expected the name of at least one attribute"),
        Mistake(
            #""by": "userID""#, #""from": "user", "matching": "mail""#,
            "12:61 $.model.Task.relationships.user.matching: 'matching' needs the keys of 'by'"),
        Mistake(
            #""from": "title""#, #""unique": 1"#,
            "7:29 $.model.Task.attributes.name.unique: expected a boolean, found a number"),
        Mistake(
            #""Tag": { "#, #""Tag": { "indexes": [{ "attributes": ["cod"], "unique": true }], "#,
            "22:25 $.model.Tag.indexes: 'cod' is not a stored attribute or to-one relationship of 'Tag'; did you mean 'code'?"
        ),
        Mistake(
            #""Tag": { "#, #""Tag": { "indexes": [{ "attribute": "code" }], "#,
            "22:25 $.model.Tag.indexes: an index needs at least one attribute",
            "22:26 $.model.Tag.indexes[0].attributes: expected the key 'attributes', found no such key; did you mean 'attribute'?",
            "22:28 $.model.Tag.indexes[0].attribute: expected the key 'attributes' or 'unique', found an unknown key; did you mean 'attributes'?"
        ),
    ]

    static let inverses = [
        Mistake(
            #""inverse": "tasks""#, #""inverse": "task""#,
            "12:60 $.model.Task.relationships.user.inverse: 'User' has no relationship 'task'; did you mean 'tasks'?"),
        Mistake(
            #""tasks": { "to": "Task""#, #""tasks": { "to": "Task", "inverse": "tags""#,
            "12:60 $.model.Task.relationships.user.inverse: 'User.tasks' names 'tags' as its inverse, not 'user'",
            "20:62 $.model.User.relationships.tasks.inverse: 'Task.tags' refers to 'Tag', not to 'User'"),
        Mistake(
            #""tasks": { "to": "Task""#, #""tasks": { "to": "Step""#,
            "12:60 $.model.Task.relationships.user.inverse: 'User.tasks' refers to 'Step', not to 'Task'"),
        Mistake(
            #""many": true },\#n"#, #""many": true, "inverse": "tags" },\#n"#,
            "13:73 $.model.Task.relationships.tags.inverse: 'Tag' has no relationship 'tags'"),
        Mistake(
            #""by": "userID","#, #""by": "userID", "ordered": true,"#,
            #"12:49 $.model.Task.relationships.user.ordered: 'ordered' needs "many": true"#),
    ]

    static let sources = [
        Mistake(
            #"[\#n    { "file": "tasks.json""#, #"[null, { "fil": 1, "file": "tasks.json""#,
            "25:15 $.sources[0]: expected a value, found null",
            "25:23 $.sources[1].fil: expected the key 'file', 'entity', 'at', 'each' or 'format', found an unknown key; did you mean 'file'?"
        ),
        Mistake(
            #""entity": "Task""#, #""entity": "Tsak""#,
            "26:39 $.sources[0].entity: unknown entity 'Tsak'; did you mean 'Task'?"),
        Mistake(
            #""file": "tasks.json", "#, "",
            "26:5 $.sources[0].file: expected the key 'file', found no such key"),
        Mistake(
            #""file": "tasks.json""#, #""file": """#,
            "26:15 $.sources[0].file: expected the name of a file"),
        Mistake(
            #""at": "tasks""#, #""at": "tasks.@count""#,
            "26:53 $.sources[0].at: the key path of a source cannot contain an operator such as '@count'"),
        Mistake(
            #""each": "member""#, #""each": "members""#,
            "27:55 $.sources[1].each: expected 'element', 'member' or 'line', found another string; did you mean 'member'?"
        ),
        Mistake(
            #""each": "member""#, #""each": "lines""#,
            "27:55 $.sources[1].each: expected 'element', 'member' or 'line', found another string; did you mean 'line'?"
        ),
        Mistake(
            #""entity": "Tag" }"#, #""entity": "Tag", "at": "x" }"#,
            "28:53 $.sources[2].at: a file with one element per line cannot have a key path"),
        Mistake(
            #""entity": "Tag" }"#, #""entity": "Tag", "at": "x", "each": "line" }"#,
            "28:53 $.sources[2].at: a file with one element per line cannot have a key path"),
        Mistake(
            #""entity": "User", "each""#, #""each""#,
            "27:37 $.sources[1].each: wrapped elements, in a source without 'entity', are not members"),
        Mistake(
            #"{ "file": "tags.ndjson", "entity": "Tag" }"#,
            #"{ "file": "tasks.json", "entity": "Task", "at": "tasks" }"#,
            "28:5 $.sources[2]: is the same as sources[0]"),
        Mistake(
            #"[\#n    { "file": "tasks.json""#,
            #"[{ "file": "-" }, { "file": "-", "entity": "Tag" }, {"file": "tasks.json""#,
            "25:42 $.sources[1].file: standard input can be one source only; sources[0] reads it already"),
    ]
}
