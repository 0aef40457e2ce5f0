/// The used names, ignoring case, because types are files as well.
struct NameSpace {
    private var taken: Set<String> = []

    /// Returns an unused name: the given one, or the name with a number.
    mutating func unused(_ preferred: String) -> String {
        var name = preferred
        var number = 2
        while !taken.insert(name.lowercased()).inserted { (name, number) = ("\(preferred)\(number)", number + 1) }
        return name
    }
}
