import Foundation
import ObjectMapping
import TestSupport

@testable import ObjectStore

/// Entities of every type of attribute and relationship, for tests of objects without classes.
enum AuthorModel {
    static func model() throws -> ObjectModel {
        try ObjectModel(entities: [
            EntityDescription(
                "Author", identifiedBy: ["id"],
                attributes: [
                    AttributeDescription("id", AttributeType(.integer)),
                    AttributeDescription(
                        "name", AttributeType(.string), isOptional: false, defaultValue: .string("nobody")),
                    AttributeDescription("born", AttributeType(.date)),
                    AttributeDescription("isAlive", AttributeType(.boolean)),
                    AttributeDescription("rating", AttributeType(.double)),
                    AttributeDescription("royalty", AttributeType(.decimal)),
                    AttributeDescription("token", AttributeType(.uuid)),
                    AttributeDescription("site", AttributeType(.url)),
                    AttributeDescription("photo", AttributeType(.data)),
                    AttributeDescription("extra", AttributeType(.json)),
                    AttributeDescription("tags", AttributeType(.string, isList: true)),
                    AttributeDescription("scores", AttributeType(.integer, isList: true)),
                    AttributeDescription("mail", AttributeType(.string), isUnique: true),
                ],
                relationships: [
                    RelationshipDescription(
                        "books", to: "Book", isToMany: true, inverse: "author", deleteRule: .cascade),
                    RelationshipDescription("friends", to: "Author", isToMany: true),
                ]),
            EntityDescription(
                "Book",
                attributes: [
                    AttributeDescription("title", AttributeType(.string), isOptional: false),
                    AttributeDescription("pages", AttributeType(.integer)),
                ],
                relationships: [
                    RelationshipDescription("author", to: "Author"),
                    RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
                ]),
            EntityDescription(
                "Shelf", attributes: [AttributeDescription("code", AttributeType(.string))],
                relationships: [
                    RelationshipDescription("books", to: "Book", isToMany: true, isOrdered: true, deleteRule: .deny)
                ]),
        ])
    }

    static func store() throws -> ManagedObjectStore { try ManagedObjectStore(inMemory: model()) }

    /// A store with two authors: one with two books, one without books.
    static func filled() throws -> ManagedObjectStore {
        let store = try store()
        let context = ObjectContext(store)
        let roy = try context.insert("Author")
        (roy["id"], roy["name"], roy["rating"]) = (1, "Roy", 4.5)
        let ann = try context.insert("Author")
        (ann["id"], ann["name"]) = (2, "Ann")
        for (title, pages) in [("Attics", 120), ("Boats", 80)] {
            let book = try context.insert("Book")
            (book["title"], book["pages"], book["author"]) = (title, pages, roy)
        }
        try context.save()
        return store
    }
}

extension ManagedObject {
    /// A relationship as a list of objects.
    func objects(_ name: String) -> [ManagedObject] { self[name] ?? [] }
}
