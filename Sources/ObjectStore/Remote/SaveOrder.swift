/// The order in which dependent objects are saved.
enum SaveOrder {
    /// Returns objects so that each one follows those to which it refers by to-one relationships and changed lists.
    ///
    /// A cycle begins with its first object. Takes linear time, without recursion.
    static func parentsFirst(_ objects: [ManagedObject]) -> [ManagedObject] {
        guard objects.count > 1, let core = objects[0].core else { return objects }
        core.reconcile()
        let places = Dictionary(
            objects.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        var missing = Array(repeating: 0, count: objects.count)
        var dependents: [[Int]] = Array(repeating: [], count: objects.count)
        for (place, object) in objects.enumerated() {
            let entity = core.entity(of: object)
            func follow(_ row: Int64, _ relationship: Int) {
                let destination = entity.relationships[relationship].destination
                guard row != 0, let target = core.registries[destination][row],
                    let parent = places[ObjectIdentifier(target)], parent != place
                else { return }
                missing[place] += 1
                dependents[parent].append(place)
            }
            for index in entity.toOnes { follow(entity.type.relationships[index].row(of: object), index) }
            for list in object.state?.listBases.keys.sorted() ?? []
            where object.state?.assignedLists.contains(list) == true {
                for row in object.listRows(list, toNew: true) ?? [] { follow(row, list) }
            }
        }
        var order: [Int] = []
        var isPlaced = Array(repeating: false, count: objects.count)
        var next = 0
        func add(_ place: Int) {
            isPlaced[place] = true
            order.append(place)
        }
        for place in objects.indices where missing[place] == 0 { add(place) }
        var first = 0
        while true {
            while next < order.count {
                for dependent in dependents[order[next]] where !isPlaced[dependent] {
                    missing[dependent] -= 1
                    if missing[dependent] == 0 { add(dependent) }
                }
                next += 1
            }
            while first < objects.count, isPlaced[first] { first += 1 }
            guard first < objects.count else { break }
            add(first)
        }
        return order.map { objects[$0] }
    }
}
