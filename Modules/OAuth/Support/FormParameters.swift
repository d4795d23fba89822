internal import Foundation

/// The parameters of a request in form encoding (`application/x-www-form-urlencoded`).
struct FormParameters {
    private(set) var pairs: [(name: String, value: String)]

    init(_ pairs: [(String, String?)]) {
        self.pairs = pairs.compactMap { name, value in value.map { (name, $0) } }
    }

    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    var encoded: String {
        pairs.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    /// Escapes all but the unreserved characters of RFC 3986 §2.3, which every decoder of forms accepts.
    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
