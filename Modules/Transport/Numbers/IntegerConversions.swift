// Conversions between integers of known types. The standard library's `init(_:)` is generic, and the compiler inlines
// and specializes it at each use: 8 to 10 ms a use, optimized or not. A call of these takes 0.3 ms
// (Docs/Decisions/0143-integers-are-converted-by-concrete-initializers.md). Like the generic one, they trap on a value
// that is not representable.

extension Int {
    @inlinable package init(_ value: Int32) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: Int64) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt16) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt32) { self.init(truncatingIfNeeded: value) }

    @inlinable package init(_ value: UInt64) {
        self.init(truncatingIfNeeded: value)
        precondition(self >= 0, "the value is not representable")
    }
}

extension Int16 {
    @inlinable package init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(Int32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension Int32 {
    @inlinable package init(_ value: UInt16) { self.init(truncatingIfNeeded: value) }

    @inlinable package init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    @inlinable package init(_ value: UInt32) {
        self.init(truncatingIfNeeded: value)
        precondition(self >= 0, "the value is not representable")
    }
}

extension Int64 {
    @inlinable package init(_ value: Int) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
}

extension UInt {
    @inlinable package init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }
}

extension UInt8 {
    @inlinable package init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    @inlinable package init(_ value: UInt32) {
        self.init(truncatingIfNeeded: value)
        precondition(UInt32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension UInt16 {
    @inlinable package init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }

    @inlinable package init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(Int32(truncatingIfNeeded: self) == value, "the value is not representable")
    }
}

extension UInt32 {
    @inlinable package init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }

    @inlinable package init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(Int(truncatingIfNeeded: self) == value, "the value is not representable")
    }

    @inlinable package init(_ value: Int32) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }
}

extension UInt64 {
    @inlinable package init(_ value: UInt) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt8) { self.init(truncatingIfNeeded: value) }
    @inlinable package init(_ value: UInt32) { self.init(truncatingIfNeeded: value) }

    @inlinable package init(_ value: Int) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }

    @inlinable package init(_ value: Int64) {
        self.init(truncatingIfNeeded: value)
        precondition(value >= 0, "the value is not representable")
    }
}
