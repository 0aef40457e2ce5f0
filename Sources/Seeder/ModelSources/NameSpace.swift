/// Names that are taken, whatever their case: types are files too.
struct NameSpace {
    private var taken: Set<String> = []

    /// A name that nobody has: the one that is wanted, or that with a number.
    mutating func unused(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while !taken.insert(name.lowercased()).inserted { (name, number) = ("\(wanted)\(number)", number + 1) }
        return name
    }
}
