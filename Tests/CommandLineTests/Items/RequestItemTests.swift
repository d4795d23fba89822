import AirframeCommandLine
import Foundation
import Testing

@Suite("Parts of a request as arguments", .timeLimit(.minutes(1)))
struct RequestItemTests {
    @Test(
        "the first separator determines the kind of an argument",
        arguments: [
            ("Accept:text/html", RequestItem.header(name: "Accept", value: "text/html")),
            ("Accept: text/html", .header(name: "Accept", value: "text/html")),
            ("Accept:", .header(name: "Accept", value: nil)),
            ("X-Empty;", .header(name: "X-Empty", value: "")),
            ("X-Time:12:30", .header(name: "X-Time", value: "12:30")),
            ("page==2", .query(name: "page", value: "2")),
            ("q==a=b", .query(name: "q", value: "a=b")),
            ("name=Ada", .text(name: "name", value: "Ada")),
            ("name=", .text(name: "name", value: "")),
            ("mail=ada@api.test", .text(name: "mail", value: "ada@api.test")),
            ("age:=36", .json(name: "age", value: .number("36"))),
            (#"tags:=["a",1.50]"#, .json(name: "tags", value: .array([.string("a"), .number("1.50")]))),
            ("bio=@bio.txt", .textFile(name: "bio", path: "bio.txt")),
            ("rows:=@rows.json", .jsonFile(name: "rows", path: "rows.json")),
            ("photo@a.png", .file(name: "photo", path: "a.png", mediaType: nil)),
            ("photo@a.bin;type=image/png", .file(name: "photo", path: "a.bin", mediaType: "image/png")),
            ("@body.json", .body(path: "body.json")),
            (#"a\:b=c"#, .text(name: "a:b", value: "c")),
            (#"a\=b=c"#, .text(name: "a=b", value: "c")),
            (#"C\x=1"#, .text(name: #"C\x"#, value: "1")),
        ]
    )
    func notations(argument: String, item: RequestItem) throws {
        #expect(try RequestItem(argument) == item)
    }

    @Test(
        "an argument without a notation is refused by its name, without its value",
        arguments: [
            ("=s3cret", "=…"), (":=1", ":=…"), ("age:={", "age:=…"), ("file@", "file@"),
            ("password:=s3cret", "password:=…"),
        ])
    func refused(argument: String, text: String) {
        let error = #expect(throws: ItemError.self) { try RequestItem(argument) }
        #expect(error?.description.hasPrefix("'\(text)' ") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(
        "an argument without a separator is refused by its number",
        arguments: ["s3cret", "", ";", "Bearer s3cret", "s3cret Bearer", #"s3cret\:word"#])
    func withoutSeparator(argument: String) {
        let error = #expect(throws: ItemError.self) { try RequestItem(argument, number: 3) }
        #expect(error?.description.hasPrefix("item 3 has no separator") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("s3cret") == false)
    }

    private func parts(
        _ arguments: [String],
        _ encoding: RequestParts.FieldEncoding = .json,
        files: [String: String] = [:]
    ) throws -> RequestParts {
        try RequestParts(arguments.map { try RequestItem($0) }, encoding: encoding) { path in
            Data(try #require(files[path]).utf8)
        }
    }

    @Test("fields are one JSON object in the order of the arguments; a key may be a path")
    func json() throws {
        let parts = try parts([
            "name=Ada", "age:=36", "address[city]=London", "address[zip]=N1", "tags[]=a", "tags[]=b", "rows[1][id]:=7",
        ])
        guard case .json(let node) = parts.body else { return #expect(Bool(false), "\(parts.body)") }
        let expected =
            #"{"name":"Ada","age":36,"address":{"city":"London","zip":"N1"},"tags":["a","b"],"rows":[null,{"id":7}]}"#
        #expect(node.compactText == expected)
    }

    @Test(
        "a file makes the body a multipart form, regardless of the encoding",
        arguments: [RequestParts.FieldEncoding.json, .form])
    func multipart(encoding: RequestParts.FieldEncoding) throws {
        let parts = try parts(["title=Sunset", "photo@a.png"], encoding)
        #expect(
            parts.body
                == .multipart([
                    .text(name: "title", value: "Sunset"), .file(name: "photo", path: "a.png", mediaType: nil),
                ]))
    }

    @Test("values are read from files if the notation requests it")
    func files() throws {
        let parts = try parts(["a=@t", "b:=@j"], files: ["t": "text", "j": "[1, 2]"])
        guard case .json(let node) = parts.body else { return #expect(Bool(false), "\(parts.body)") }
        #expect(node.compactText == #"{"a":"text","b":[1,2]}"#)
    }

    @Test("headers, removals and the query are apart from the body")
    func others() throws {
        let parts = try parts(["X-A:1", "X-A:2", "Accept:", "q==a b", "q==c"])
        #expect(parts.headers == [.init("X-A", "1"), .init("X-A", "2")])
        #expect(parts.removedHeaders == ["Accept"])
        #expect(parts.query == [.init("q", "a b"), .init("q", "c")])
        #expect(parts.body == .none)
    }

    @Test(
        "arguments that contradict each other are refused",
        arguments: [
            ["@a", "@b"], ["@a", "b=c"], ["a=1", "a[b]=2"], ["a[b]=1", "a[]=2"], ["a[99999]=1"], ["a[b]c]=1"],
        ]
    )
    func contradictions(arguments: [String]) {
        #expect(throws: ItemError.self) { try parts(arguments, files: ["a": "", "b": ""]) }
    }

    @Test("a form escapes all but unreserved characters, and reads its own text")
    func form() {
        let pairs: [RequestParts.Pair] = [.init("name", "Ada & Bob"), .init("ß", "100%"), .init("e", "")]
        let text = FormEncoding.text(pairs)
        #expect(text == "name=Ada%20%26%20Bob&%C3%9F=100%25&e=")
        #expect(FormEncoding.pairs(text) == pairs)
        #expect(FormEncoding.pairs("a=1+2&b=%zz&c") == [.init("a", "1 2"), .init("b", "%zz"), .init("c", "")])
    }
}
