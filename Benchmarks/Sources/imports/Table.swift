/// The table of an entity, for the peers that write SQL.
struct Table: Sendable {
    /// The name of the column, and the expression that reads it from an element of `json_each`.
    struct Column {
        let name: String
        let source: String
    }

    /// A column that refers to another table by the key in a column.
    struct Reference {
        let name: String
        let table: String
        let key: String
        /// The position of the column that has the key, from 1.
        let parameter: Int
    }

    /// Reads the values of the columns from the JSON in the parameter.
    let query: String
    /// Inserts a row, or updates the one with its identity if a value differs.
    let upsert: String
    /// Reads all rows.
    let dump: String

    private init(_ name: String, _ columns: [Column], _ references: [Reference] = []) {
        let identity = columns[0].name
        let names = columns.map(\.name) + references.map(\.name)
        let values =
            columns.indices.map { "?\($0 + 1)" }
            + references.map { "(SELECT \"_id\" FROM \"\($0.table)\" WHERE \"\($0.key)\" = ?\($0.parameter))" }
        let others = names.dropFirst()
        query = "SELECT \(columns.map(\.source).joined(separator: ", ")) FROM json_each(?1)"
        upsert =
            "INSERT INTO \"\(name)\"(\(names.map { "\"\($0)\"" }.joined(separator: ", "))) "
            + "VALUES(\(values.joined(separator: ", "))) ON CONFLICT(\"\(identity)\") DO UPDATE SET "
            + others.map { "\"\($0)\" = excluded.\"\($0)\"" }.joined(separator: ", ") + " WHERE "
            + others.map { "\"\($0)\" IS NOT excluded.\"\($0)\"" }.joined(separator: " OR ")
        dump = "SELECT \"_id\", \(names.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \"\(name)\" ORDER BY \"_id\""
    }

    static let user = Table(
        "User",
        [
            Column(name: "userID", source: "value ->> 'user_id'"), Column(name: "name", source: "value ->> 'name'"),
            Column(name: "email", source: "value ->> 'email'"),
        ])

    static let project = Table(
        "Project",
        [
            Column(name: "projectID", source: "value ->> 'project_id'"),
            Column(name: "name", source: "value ->> 'name'"), Column(name: "ownerID", source: "value ->> 'owner_id'"),
        ], [Reference(name: "owner", table: "User", key: "userID", parameter: 3)])

    static let task = Table(
        "Task",
        [
            Column(name: "taskID", source: "value ->> 'task_id'"), Column(name: "name", source: "value ->> 'name'"),
            Column(name: "projectID", source: "value ->> '$.project.id'"),
            Column(name: "assignedUserID", source: "value ->> 'assigned_user_id'"),
            Column(name: "createdAt", source: "replace(value ->> 'created_at', 'Z', '.000Z')"),
            Column(name: "tags", source: "value -> 'tags'"), Column(name: "done", source: "value ->> 'done'"),
            Column(name: "cost", source: "value ->> 'cost'"),
        ],
        [
            Reference(name: "project", table: "Project", key: "projectID", parameter: 3),
            Reference(name: "assignedUser", table: "User", key: "userID", parameter: 4),
        ])

    static let all = [user, project, task]
}
