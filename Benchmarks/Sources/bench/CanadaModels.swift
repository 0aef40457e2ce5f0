import ObjectMapping

/// The mapped part of canada.json: the rings of points of a GeoJSON polygon.
struct Canada: Decodable {
    var features: [Feature]
}

struct Feature: Decodable {
    var geometry = Geometry()

    init() {}
}

struct Geometry: Decodable {
    var coordinates: [[[Double]]] = []

    init() {}
}

extension Feature: Mappable {
    static let mapping = Mapping(Self.init) { Attribute("geometry.coordinates", \.geometry.coordinates) }
}

extension Feature: Checksummed {
    func add(to checksum: inout Checksum) {
        checksum.add(geometry.coordinates) { checksum, ring in
            checksum.add(ring) { checksum, point in checksum.add(point) { $0.add($1) } }
        }
    }
}
