public import Foundation

/// A generator of random numbers that are reproducible by their seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator with a seed.
    public init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// True with the probability 1 / `count`.
    public mutating func chance(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    /// Returns a random element.
    public mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// Returns random bytes.
    public mutating func data(count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) })
    }
}
