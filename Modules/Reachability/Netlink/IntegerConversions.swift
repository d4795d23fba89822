// Conversions between integers of known types: the compiler takes 8 to 10 ms for each use of the generic `init(_:)`
// (Docs/Decisions/0143-integers-are-converted-by-concrete-initializers.md). AirframeTransport's are out of reach, since
// this module imports no other.

extension Int {
    init(_ value: Int32) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt16) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt32) { self.init(truncatingIfNeeded: value) }

    init(_ value: UInt64) {
        self.init(truncatingIfNeeded: value)
        precondition(self >= 0, "the value is not representable")
    }
}

extension Int16 {
    init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(Int32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension Int32 {
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
    init(_ value: UInt16) { self.init(truncatingIfNeeded: value) }

    init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    init(_ value: UInt32) {
        self.init(truncatingIfNeeded: value)
        precondition(self >= 0, "the value is not representable")
    }
}

extension Int64 {
    init(_ value: Int) { self.init(truncatingIfNeeded: value) }
}

extension UInt8 {
    init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(Int32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension UInt16 {
    init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(Int32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension UInt32 {
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }

    init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }
}

extension UInt64 {
    init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }

    init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }
}
