import AirframeEncoding
import Foundation
import Testing

@Suite("Values that have no form", .timeLimit(.minutes(1)))
struct FormErrorTests {
    static var roots: [(any Encodable & Sendable, String)] {
        [
            ([1, 2], "Array<Int>, which encodes as a list"), ("secret", "String, which encodes as a single value"),
            (1, "Int, which encodes as a single value"), (Date(), "Date, which encodes as a single value"),
            ([[1: "a"]], "Array<Dictionary<Int, String>>, which encodes as a list"),
        ]
    }

    @Test("the root value must have keys; the error names its type and not its content", arguments: roots)
    func root(value: any Encodable & Sendable, words: String) throws {
        let error = Form.Error.invalidRootObject(words)
        #expect(throws: error) { let _: String = try Form().encode(value) }
        #expect(error.localizedDescription == "a URL-encoded form needs keys and values; this is \(words)")
    }

    @Test("a root value without members is an empty form")
    func emptyRoots() throws {
        let values: [any Encodable] = [[Int](), [String: Int](), [String: Int]?.none]
        for value in values { #expect(try Form().encode(value) == "") }
    }

    private final class Loop: Encodable {
        var next: Loop?
    }

    @Test("a value that contains itself is rejected")
    func loop() throws {
        let loop = Loop()
        loop.next = loop
        defer { loop.next = nil }
        #expect(throws: EncodingError.self) { let _: String = try Form().encode(loop) }
    }

    @Test(
        "endlessly nested containers are rejected, 500 levels are accepted",
        arguments: [(500, true), (600, false)])
    func containers(depth: Int, isFine: Bool) throws {
        let value = FormContainerTests.Manual { encoder in
            var container = encoder.container(keyedBy: FormContainerTests.Key.self)
            for _ in 0..<depth {
                container = container.nestedContainer(keyedBy: FormContainerTests.Key.self, forKey: .a)
            }
            try container.encode(1, forKey: .b)
        }
        if isFine {
            let text: String = try Form().encode(value)
            #expect(text.utf8.count == 1 + (depth - 1) * 7 + 7 + 2)
        } else {
            #expect(throws: EncodingError.self) { let _: String = try Form().encode(value) }
        }
    }

    @Test("a key with both a single value and a list is rejected")
    func conflict() throws {
        let value = FormContainerTests.Manual { encoder in
            var root = encoder.container(keyedBy: FormContainerTests.Key.self)
            try root.encode("secret", forKey: .a)
            var list = root.nestedUnkeyedContainer(forKey: .a)
            try list.encode(1)
        }
        let error = try #require(throws: EncodingError.self) { let _: String = try Form().encode(value) }
        guard case .invalidValue(let subject, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(subject as? String == "a")
        #expect(context.codingPath.map(\.stringValue) == ["a"])
        #expect(context.debugDescription == "encoded both as a single value and as an object or a list")
    }

    @Test("errors of values and custom encodings are rethrown")
    func thrown() {
        struct Refusal: Error {}
        let failing = Box(v: [Date()])
        #expect(throws: Refusal.self) {
            let _: String = try Form(dateEncoding: .custom { _ in throw Refusal() }).encode(failing)
        }
        #expect(throws: Refusal.self) {
            let _: String = try Form(dataEncoding: .custom { _ in throw Refusal() }).encode(["a": Data()])
        }
        #expect(throws: Refusal.self) {
            let _: String = try Form().encode(["a": FormContainerTests.Manual { _ in throw Refusal() }])
        }
    }
}
