import Testing

@Suite("The scanner that the other tests read sources with", .timeLimit(.minutes(1)))
struct SourceScannerTests {
    @Test(
        "finds imports of every access level and form",
        arguments: [
            ("import Foundation", ["Foundation"]),
            ("public import HTTPTypes", ["HTTPTypes"]),
            ("@_exported public import AirframeCore", ["AirframeCore"]),
            ("@testable import AirframeCore", ["AirframeCore"]),
            ("    private import struct Foundation.URL", ["Foundation"]),
            ("import A; import B", ["A", "B"]),
            ("#if canImport(FoundationNetworking)", ["FoundationNetworking"]),
            ("#elseif os(Linux) && canImport( Musl )", ["Musl"]),
            ("// import Foundation", []),
            ("/* import A /* import B */ import C */ import D", ["D"]),
            ("let text = \"import Foundation\"", []),
            ("let text = \"\"\"\nimport Foundation\n\"\"\"", []),
            ("let important = 1", []),
        ]
    )
    func imports(line: String, modules: [String]) {
        #expect(SwiftSource(path: "a.swift", text: line).imports.map(\.module) == modules)
    }

    @Test(
        "keeps code and drops the text of literals",
        arguments: [
            (#"a("b")"#, "a(   )"),
            (#"a("\"b")c"#, "a(     )c"),
            (##"a(#"\("b")"#)c"##, "a(          )c"),
            (#"a("\(b("c")) d")e"#, "a(   b(   )    )e"),
            ("a // b", "a     "),
            ("f(a) // \"", "f(a)     "),
            ("#if a", "#if a"),
        ]
    )
    func code(text: String, code: String) {
        #expect(SwiftSource(path: "a.swift", text: text).code == [code])
    }

    @Test("keeps comments by line")
    func comments() {
        let source = SwiftSource(path: "a.swift", text: "a // one\n/* two\nthree */ b\n")
        let comments = source.comments.map { $0.trimmingPrefix(while: \.isWhitespace) }
        #expect(comments == ["// one", "/* two", "three */  ", ""])
        #expect(source.lineCount == 3)
        #expect(source.place(2) == "a.swift:3")
    }
}
