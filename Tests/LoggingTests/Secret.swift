import Foundation
import Testing

/// A random secret. Rules that know what a secret looks like, not where it stands, find one alphabet and miss another.
struct Secret: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    /// New ones with each run, in characters that need no escape anywhere.
    static let all = [
        Secret("digits", "0123456789", count: 16),
        Secret("a word", "abcdefghijklmnopqrstuvwxyz", count: 12),
        Secret("hexadecimal", "0123456789abcdef", count: 40),
        Secret("upper case", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", count: 26),
        Secret("Base64 for URLs", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", count: 43),
        Secret(
            name: "a JSON Web Token", text: (0..<3).map { _ in "ey" + random("abcABC012-_", 20) }.joined(separator: ".")
        ),
        Secret(name: "an identifier", text: UUID().uuidString),
    ]

    private init(name: String, text: String) {
        testDescription = "\(name): \(text)"
        self.text = text
    }

    private init(_ name: String, _ alphabet: String, count: Int) {
        self.init(name: name, text: Self.random(alphabet, count))
    }

    private static func random(_ alphabet: String, _ count: Int) -> String {
        String((0..<count).compactMap { _ in alphabet.randomElement() })
    }
}
