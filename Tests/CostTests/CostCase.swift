import AirframeTestSupport
import Testing

/// Something that a peer can fill, and an input of a size that is meant to be hard for it.
struct CostCase: Sendable, CustomTestStringConvertible {
    let name: String
    let size: Int
    let prepare: @Sendable (Int) throws -> () throws -> Void

    init(_ name: String, size: Int = 2000, prepare: @escaping @Sendable (Int) throws -> () throws -> Void) {
        self.name = name
        self.size = size
        self.prepare = prepare
    }

    var testDescription: String { name }

    func check() throws {
        let curve = try CostCurve.measure(size, prepare: prepare)
        #expect(curve.growth <= CostCurve.limit, "\(name) grows faster than its input: \(curve)")
    }
}

extension String {
    static func repeating(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}

/// Keeps the optimizer from dropping what is measured.
@inline(never)
func consume<Value>(_ value: Value) { withExtendedLifetime(value) {} }

@Suite("The measure of costs", .timeLimit(.minutes(1)))
struct CostCurveTests {
    @Test("distinguishes a linear operation from a quadratic one")
    func measure() throws {
        let linear = try CostCurve.measure(500) { count in
            let numbers = Array(0..<count)
            return { consume(Set(numbers)) }
        }
        #expect(linear.growth <= CostCurve.limit, "\(linear)")
        let quadratic = try CostCurve.measure(300) { count in
            let numbers = Array(0..<count)
            return { consume(numbers.filter { number in numbers.firstIndex(of: -number) == nil }) }
        }
        #expect(quadratic.growth > CostCurve.limit, "\(quadratic)")
    }
}
