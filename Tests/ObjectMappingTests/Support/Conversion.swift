import Foundation
import ObjectMapping
import Testing

private struct Stored<Value: JSONConvertible & Sendable>: Sendable {
    var value: Value?
    var list: [Value] = []
}

private final class Held<Value: JSONConvertible & Sendable> {
    var value: Value?
    var list: [Value] = []
}

/// The conversion of a JSON value to a type: the value, or the expected and found texts.
///
/// Tested as a property of a struct, of a class, as an element of lists of both, and by `init(json:)`, which must
/// agree.
func converted<Value: JSONConvertible & Sendable>(_ text: String, to type: Value.Type) -> String {
    let stored = Mapping {
        Stored<Value>()
    } _: {
        Attribute("v", \.value)
        Attribute("l", \.list)
    }
    let held = Mapping {
        Held<Value>()
    } _: {
        Attribute("v", \.value)
        Attribute("l", \.list)
    }
    let result = outcome { try stored.map("{\"v\": \(text)}").value }
    #expect(outcome { try held.map("{\"v\": \(text)}").value } == result)
    #expect(outcome { try stored.map("{\"l\": [\(text)]}").list.first } == result)
    #expect(outcome { try held.map("{\"l\": [\(text)]}").list.first } == result)
    if let json = try? JSON(text) {
        #expect((Value(json: json).map(spelled) ?? "none") == (result.contains("expected") ? "none" : result))
    }
    return result
}

private struct Taken<Value> {
    var value: Value?
    var list: [Value] = []
    var members: [String: Value] = [:]
}

private final class TakenObject<Value> {
    var value: Value?
}

/// The result of a conversion for a JSON value: the value, or the expected and found texts.
///
/// Tested as a property of a struct, of a class, as an element of a list and of a dictionary, which must agree.
func converted<Value: Sendable>(_ text: String, by conversion: Conversion<Value>) -> String {
    let stored = Mapping {
        Taken<Value>()
    } _: {
        Attribute("v", \.value, using: conversion)
        Attribute("l", \.list, using: conversion)
        Attribute("m", \.members, using: conversion)
    }
    let held = Mapping {
        TakenObject<Value>()
    } _: {
        Attribute("v", \.value, using: conversion)
    }
    let result = outcome { try stored.map("{\"v\": \(text)}").value }
    #expect(outcome { try held.map("{\"v\": \(text)}").value } == result)
    if result != "nil" {
        #expect(outcome { try stored.map("{\"l\": [\(text)]}").list.first } == result)
        #expect(outcome { try stored.map("{\"m\": {\"k\": \(text)}}").members["k"] } == result)
    }
    return result
}

/// The result of a read as text, or the expected and found texts.
private func outcome<Value>(_ read: () throws -> Value?) -> String {
    do {
        return try read().map(spelled) ?? "nil"
    } catch {
        let issue = (error as? MappingError)?.issues.first
        return "\(issue?.kind.rawValue ?? ""): expected \(issue?.expected ?? ""), found \(issue?.found ?? "")"
    }
}

/// A value as text, the same everywhere.
private func spelled<Value>(_ value: Value) -> String {
    switch value {
    case let date as Date: "\(date.timeIntervalSince1970)"
    case let data as Data: data.base64EncodedString()
    case let text as String: text.debugDescription
    default: "\(value)"
    }
}
