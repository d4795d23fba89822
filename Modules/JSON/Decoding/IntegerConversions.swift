// Conversions between integers of known types: the compiler takes 8 to 10 ms for each use of the generic `init(_:)`
// (Docs/Decisions/0143-integers-are-converted-by-concrete-initializers.md). AirframeTransport's are out of reach, since
// this module imports no other.

extension Int {
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt16) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt32) { self.init(truncatingIfNeeded: value) }
}

extension UInt64 {
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
}
