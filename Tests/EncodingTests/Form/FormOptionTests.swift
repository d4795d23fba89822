import AirframeEncoding
import Foundation
import Testing

typealias Form = URLEncodedFormEncoder

/// A value with one member, `v`.
struct Box<Value: Encodable & Sendable>: Encodable, Sendable {
    var v: Value
}

@Suite("URLEncodedFormEncoder's options", .timeLimit(.minutes(1)))
struct FormOptionTests {
    private func text(_ value: any Encodable, _ encoder: Form) throws -> String { try encoder.encode(value) }

    @Test(
        "array elements have the keys of the array encoding, and are sorted as whole pairs unless sorting is off",
        arguments: [
            (Form.ArrayEncoding.brackets, "v%5B%5D=a&v%5B%5D=b", "v%5B%5D=b&v%5B%5D=a"),
            (.noBrackets, "v=a&v=b", "v=b&v=a"),
            (.indexInBrackets, "v%5B0%5D=b&v%5B1%5D=a", "v%5B0%5D=b&v%5B1%5D=a"),
            (.custom { "\($0).\(9 - $1)" }, "v.8=a&v.9=b", "v.9=b&v.8=a"),
        ]
    )
    func arrays(encoding: Form.ArrayEncoding, sorted: String, unsorted: String) throws {
        let value = Box(v: ["b", "a"])
        #expect(try text(value, Form(arrayEncoding: encoding)) == sorted)
        #expect(try text(value, Form(alphabetizeKeyValuePairs: false, arrayEncoding: encoding)) == unsorted)
    }

    @Test("elements are compared as text, as Alamofire compares them")
    func sortedAsText() throws {
        #expect(try text(Box(v: [10, 9, 1]), Form(arrayEncoding: .noBrackets)) == "v=1&v=10&v=9")
    }

    @Test("arrays in arrays repeat the array encoding")
    func nestedArrays() throws {
        let value = ["v": [[1, 2], [3]]]
        #expect(
            try text(value, Form(arrayEncoding: .indexInBrackets))
                == "v%5B0%5D%5B0%5D=1&v%5B0%5D%5B1%5D=2&v%5B1%5D%5B0%5D=3")
        #expect(try text(value, Form(arrayEncoding: .noBrackets)) == "v=1&v=2&v=3")
    }

    @Test("the members of objects in an array stay together, and the objects are sorted by their text")
    func objectsInArrays() throws {
        let value = ["v": [["b": 1, "a": 9], ["b": 2, "a": 8]]]
        #expect(
            try text(value, Form())
                == "v%5B%5D%5Ba%5D=8&v%5B%5D%5Bb%5D=2&v%5B%5D%5Ba%5D=9&v%5B%5D%5Bb%5D=1"
        )
    }

    @Test("booleans", arguments: [(Form.BoolEncoding.numeric, "a=1&b=0"), (.literal, "a=true&b=false")])
    func booleans(encoding: Form.BoolEncoding, expected: String) throws {
        #expect(try text(["a": true, "b": false], Form(boolEncoding: encoding)) == expected)
    }

    @Test(
        "data",
        arguments: [
            (Form.DataEncoding.base64, "v=AQL/"),
            (.deferredToData, "v%5B%5D=1&v%5B%5D=2&v%5B%5D=255"),
            (.custom { "\($0.count) bytes" }, "v=3%20bytes"),
        ]
    )
    func data(encoding: Form.DataEncoding, expected: String) throws {
        #expect(try text(Box(v: Data([1, 2, 255])), Form(dataEncoding: encoding)) == expected)
    }

    @Test(
        "dates",
        arguments: [
            (Form.DateEncoding.deferredToDate, "v=123.456"),
            (.secondsSince1970, "v=978307323.456"),
            (.millisecondsSince1970, "v=978307323456.0"),
            (.iso8601, "v=2001-01-01T00%3A02%3A03Z"),
            (.formatted(Self.yearFormatter), "v=2001"),
            (.custom { "\(Int($0.timeIntervalSinceReferenceDate))s" }, "v=123s"),
        ]
    )
    func dates(encoding: Form.DateEncoding, expected: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: 123.456)
        #expect(try text(Box(v: date), Form(dateEncoding: encoding)) == expected)
        #expect(try text(["v": Optional(date)], Form(dateEncoding: encoding)) == expected)
    }

    private static let yearFormatter = {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        return formatter
    }()

    @Test(
        "the key encoding converts the whole key of a pair in one step",
        arguments: [
            (Form.KeyEncoding.useDefaultKeys, "outerKey%5BinnerKey%5D=1"),
            (.convertToSnakeCase, "outer_key%5Binner_key%5D=1"),
            (.convertToKebabCase, "outer-key%5Binner-key%5D=1"),
            (.capitalized, "OuterKey%5BinnerKey%5D=1"),
            (.uppercased, "OUTERKEY%5BINNERKEY%5D=1"),
            (.lowercased, "outerkey%5Binnerkey%5D=1"),
            (.custom { "_\($0)" }, "_outerKey%5BinnerKey%5D=1"),
        ]
    )
    func keys(encoding: Form.KeyEncoding, expected: String) throws {
        #expect(try text(["outerKey": ["innerKey": 1]], Form(keyEncoding: encoding)) == expected)
    }

    @Test("the key encoding follows the encodings of arrays and paths, and precedes the escaping")
    func keyEncodingOfPaths() throws {
        let value = ["outerKey": [["innerKey": "a b"]]]
        let arrows = Form.KeyPathEncoding { "->\($0)" }
        let places = Form.ArrayEncoding.custom { "\($0)_at\($1)" }
        let upper = Form(arrayEncoding: places, keyEncoding: .uppercased, keyPathEncoding: arrows)
        #expect(try text(value, upper) == "OUTERKEY_AT0-%3EINNERKEY=a%20b")
        let spaced = Form(keyEncoding: .custom { "\($0) é" }, keyPathEncoding: .dots, spaceEncoding: .plusReplaced)
        #expect(try text(value, spaced) == "outerKey%5B%5D.innerKey+%C3%A9=a+b")
        #expect(try text(value, Form(keyEncoding: .convertToSnakeCase)) == "outer_key%5B%5D%5Binner_key%5D=a%20b")
    }

    @Test("members whose keys become equal are sorted by their values")
    func equalKeys() throws {
        let value = ["outer": ["b": 1, "a": 2, "B": 0]]
        #expect(
            try text(value, Form(keyEncoding: .lowercased)) == "outer%5Ba%5D=2&outer%5Bb%5D=0&outer%5Bb%5D=1")
    }

    @Test(
        "the key path encoding joins nested keys at each level",
        arguments: [
            (Form.KeyPathEncoding.brackets, "a%5Bb%5D%5Bc%5D=1&a%5Bb%5D%5Bd%5D%5B%5D=2"),
            (.dots, "a.b.c=1&a.b.d%5B%5D=2"),
            (Form.KeyPathEncoding { "-\($0)-" }, "a-b--c-=1&a-b--d-%5B%5D=2"),
        ]
    )
    func keyPaths(encoding: Form.KeyPathEncoding, expected: String) throws {
        struct Leaf: Encodable {
            let c = 1
            let d = [2]
        }
        #expect(try text(["a": ["b": Leaf()]], Form(keyPathEncoding: encoding)) == expected)
    }

    @Test(
        "nil at every position",
        arguments: [
            (Form.NilEncoding.dropKey, "list%5B%5D=1&list%5B%5D=3&map%5By%5D=2"),
            (
                .dropValue,
                "bool=&int=&list%5B%5D=&list%5B%5D=1&list%5B%5D=3&map%5Bx%5D=&map%5By%5D=2&object=&text=&wide="
            ),
            (
                .null,
                "bool=null&int=null&list%5B%5D=1&list%5B%5D=3&list%5B%5D=null&map%5Bx%5D=null&map%5By%5D=2&"
                    + "object=null&text=null&wide=null"
            ),
            (
                Form.NilEncoding { "-" },
                "bool=-&int=-&list%5B%5D=-&list%5B%5D=1&list%5B%5D=3&map%5Bx%5D=-&map%5By%5D=2&object=-&text=-&wide=-"
            ),
        ]
    )
    func nils(encoding: Form.NilEncoding, expected: String) throws {
        struct Optionals: Encodable {
            var bool: Bool?
            var int: Int?
            var wide: UInt128?
            var text: String?
            var object: [String: Int]?
            var list: [Int?] = [1, nil, 3]
            var map: [String: Int?] = ["x": nil, "y": 2]
        }
        #expect(try text(Optionals(), Form(nilEncoding: encoding)) == expected)
    }

    @Test("omitted elements leave no gap in the indices")
    func indicesWithoutGaps() throws {
        let value = ["v": [1, nil, 3]]
        #expect(try text(value, Form(arrayEncoding: .indexInBrackets)) == "v%5B0%5D=1&v%5B1%5D=3")
    }

    @Test(
        "spaces", arguments: [(Form.SpaceEncoding.percentEscaped, "a%20b=c%20d%2Be"), (.plusReplaced, "a+b=c+d%2Be")])
    func spaces(encoding: Form.SpaceEncoding, expected: String) throws {
        #expect(try text(["a b": "c d+e"], Form(spaceEncoding: encoding)) == expected)
    }

    @Test("pairs are sorted by their encoded keys")
    func alphabetical() throws {
        let value = ["b": "3", "a": "1", "B": "2", "aa": "4", "a[x]": "5", "é": "6"]
        #expect(try text(value, Form()) == "%C3%A9=6&B=2&a%5Bx%5D=5&a=1&aa=4&b=3")
    }

    @Test("without sorting, members keep the order of their declaration")
    func declared() throws {
        struct Declared: Encodable {
            let z = 1
            let a = ["y": 2]
            let m = 3
        }
        #expect(try text(Declared(), Form(alphabetizeKeyValuePairs: false)) == "z=1&a%5By%5D=2&m=3")
        #expect(try text(Declared(), Form()) == "a%5By%5D=2&m=3&z=1")
    }

    @Test("equal dictionaries have equal texts")
    func deterministic() throws {
        let pairs = (0..<50).map { ("key\($0)", ["x\($0)": $0, "y\($0)": -$0]) }
        let expected = try text(Dictionary(uniqueKeysWithValues: pairs), Form())
        for _ in 0..<20 {
            #expect(try text(Dictionary(uniqueKeysWithValues: pairs.shuffled()), Form()) == expected)
        }
    }

    @Test("the defaults are Alamofire's")
    func defaults() {
        let encoder = Form()
        #expect(encoder.alphabetizeKeyValuePairs)
        #expect(encoder.boolEncoding == .numeric)
        #expect(encoder.spaceEncoding == .percentEscaped)
        #expect(encoder.allowedCharacters == .afURLQueryAllowed)
    }
}
