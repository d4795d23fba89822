import Foundation

/// A Swift file, split into code and comments. The text of string literals is neither.
struct SwiftSource {
    /// The path from the root of the repository.
    let path: String
    /// The code of each line. Comments and the text of literals are blank; code in interpolations stays.
    let code: [String]
    /// The comments of each line.
    let comments: [String]

    init(path: String, text: String) {
        var scanner = SourceScanner(text)
        scanner.scanAll()
        self.path = path
        code = Self.lines(scanner.code)
        comments = Self.lines(scanner.comments)
    }

    init(contentsOf url: URL) throws {
        try self.init(path: Repository.path(of: url), text: String(contentsOf: url, encoding: .utf8))
    }

    /// The number of lines.
    var lineCount: Int { code.last == "" ? code.count - 1 : code.count }

    /// `path:line` of a line that is counted from 0.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }

    /// The modules that the file imports, or tests for with `canImport`, with their places.
    var imports: [(module: String, place: String)] {
        code.enumerated().flatMap { index, line in
            (Self.imports(of: line) + Self.conditions(of: line)).map { (module: $0, place: place(index)) }
        }
    }

    private static func imports(of line: String) -> [String] {
        guard line.contains("import") else { return [] }
        let modifiers: Set = ["public", "package", "internal", "fileprivate", "private"]
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return line.split(separator: ";").compactMap { statement in
            let words = statement.split(whereSeparator: \.isWhitespace).map(String.init)
            let rest = words.drop { $0.hasPrefix("@") || modifiers.contains($0) }
            guard rest.first == "import" else { return nil }
            let name = rest.dropFirst().drop { kinds.contains($0) }.first
            return name.flatMap { $0.split(separator: ".").first.map(String.init) }
        }
    }

    private static func conditions(of line: String) -> [String] {
        guard line.contains("canImport") else { return [] }
        return line.matches(of: /canImport\s*\(\s*(\w+)/).map { String($0.output.1) }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
    }
}
