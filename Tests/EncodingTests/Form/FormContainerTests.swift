import AirframeEncoding
import Foundation
import Testing

@Suite("Containers of the form encoder", .timeLimit(.minutes(1)))
struct FormContainerTests {
    enum Key: String, CodingKey { case a, b, c }

    /// A value that a closure encodes.
    struct Manual: Encodable {
        let body: (any Encoder) throws -> Void
        init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private func text(_ encoder: Form = Form(), _ body: @escaping (any Encoder) throws -> Void) throws -> String {
        try encoder.encode(Manual(body))
    }

    @Test("nested containers of all kinds in a mixed array")
    func mixed() throws {
        let result = try text { encoder in
            var root = encoder.container(keyedBy: Key.self)
            var list = root.nestedUnkeyedContainer(forKey: .a)
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode("text", forKey: .b)
            var inner = list.nestedUnkeyedContainer()
            try inner.encode(contentsOf: [1, 2, 3])
            var innermost = inner.nestedUnkeyedContainer()
            try innermost.encode(4)
        }
        let list = "a%5B%5D"
        #expect(
            result
                == "\(list)%5B%5D%5B%5D=4&\(list)%5B%5D=1&\(list)%5B%5D=2&\(list)%5B%5D=3&\(list)%5Bb%5D=text"
        )
    }

    @Test("keys that are numbers are keys, and not indices")
    func numbers() throws {
        #expect(try Form().encode(["ids": ["5": "a"]]) == "ids%5B5%5D=a")
        #expect(try Form().encode(["ids": [5: "a"]]) == "ids%5B5%5D=a")
        #expect(try Form().encode(["1": "a"]) == "1=a")
    }

    @Test("the second value of a single-value container replaces the first")
    func singleTwice() throws {
        let result = try text { encoder throws in
            var root = encoder.container(keyedBy: Key.self)
            var single = root.superEncoder(forKey: .a).singleValueContainer()
            try single.encode(1)
            try single.encode(2)
        }
        #expect(result == "a=2")
    }

    @Test("super encoders write beside the members of the subclass, under a key, or as an element")
    func superEncoders() throws {
        let result = try text { encoder in
            var root = encoder.container(keyedBy: Key.self)
            try Box(v: 1).encode(to: root.superEncoder())
            try Box(v: 2).encode(to: root.superEncoder(forKey: .b))
            var list = root.nestedUnkeyedContainer(forKey: .a)
            try Box(v: 3).encode(to: list.superEncoder())
            try list.encode(7)
        }
        #expect(result == "a%5B%5D%5Bv%5D=3&a%5B%5D=7&b%5Bv%5D=2&v=1")
    }

    @Test("a subclass and its superclass encode into one object, with a super encoder and without")
    func classes() throws {
        class Base: Encodable {
            let one = "one"
            let two = 2
            let three = true
        }
        final class Merged: Base {
            let four = [1, 2, 3]
            let five = ["a": "a", "b": "b"]
            enum Keys: String, CodingKey { case four, five }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(four, forKey: .four)
                try container.encode(five, forKey: .five)
            }
        }
        final class Separate: Base {
            let four = [1, 2, 3]
            let five = ["a": "a", "b": "b"]
            enum Keys: String, CodingKey { case four, five }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(four, forKey: .four)
                try container.encode(five, forKey: .five)
                try super.encode(to: container.superEncoder())
            }
        }
        let expected =
            "five%5Ba%5D=a&five%5Bb%5D=b&four%5B%5D=1&four%5B%5D=2&four%5B%5D=3&one=one&three=1&two=2"
        #expect(try Form().encode(Merged()) == expected)
        #expect(try Form().encode(Separate()) == expected)
    }

    @Test("a value in a single container adds its members to those that are there")
    func merged() throws {
        let result = try text { encoder in
            var root = encoder.container(keyedBy: Key.self)
            try root.encode(1, forKey: .a)
            var single = root.superEncoder().singleValueContainer()
            try single.encode(Box(v: 2))
            try root.encode(3, forKey: .b)
        }
        #expect(result == "a=1&b=3&v=2")
    }

    @Test("a superclass that encodes a single value is rejected, because its subclass has members")
    func singleSuperclass() throws {
        #expect(throws: EncodingError.self) {
            try text { encoder in
                var root = encoder.container(keyedBy: Key.self)
                try root.encode(1, forKey: .a)
                var single = root.superEncoder().singleValueContainer()
                try single.encode("text")
            }
        }
    }

    @Test("a key that is encoded twice has the last value; a container that is requested twice is the same")
    func twice() throws {
        let result = try text { encoder in
            var root = encoder.container(keyedBy: Key.self)
            try root.encode(1, forKey: .a)
            try root.encode(2, forKey: .a)
            var first = root.nestedContainer(keyedBy: Key.self, forKey: .b)
            try first.encode(3, forKey: .a)
            var second = root.nestedContainer(keyedBy: Key.self, forKey: .b)
            try second.encode(4, forKey: .b)
        }
        #expect(result == "a=2&b%5Ba%5D=3&b%5Bb%5D=4")
    }

    @Test("members of large objects are found again")
    func manyMembers() throws {
        struct Index: CodingKey {
            let intValue: Int?
            let stringValue: String
            init(intValue: Int) { (self.intValue, stringValue) = (intValue, String(intValue)) }
            init?(stringValue: String) { nil }
        }
        let result = try text(Form(alphabetizeKeyValuePairs: false)) { encoder in
            var root = encoder.container(keyedBy: Index.self)
            for round in 0..<2 {
                for index in 0..<20 { try root.encode(index * round, forKey: Index(intValue: index)) }
            }
        }
        #expect(result == (0..<20).map { "\($0)=\($0)" }.joined(separator: "&"))
    }

    @Test("containers have their coding path, and lists their count")
    func paths() throws {
        _ = try text { encoder in
            var root = encoder.container(keyedBy: Key.self)
            var list = root.nestedUnkeyedContainer(forKey: .a)
            try list.encode("x")
            #expect(list.count == 1)
            try list.encode(
                Manual { element in
                    #expect(element.codingPath.map(\.stringValue) == ["a", "Index 1"])
                    #expect(element.codingPath.last?.intValue == 1)
                    var container = element.singleValueContainer()
                    try container.encode("y")
                }
            )
            #expect(list.count == 2)
        }
    }

    @Test("a value that encodes nothing has no pairs")
    func nothing() throws {
        #expect(try text { _ in }.isEmpty)
        #expect(try Form().encode(["a": Manual { _ in }]) == "")
    }
}
