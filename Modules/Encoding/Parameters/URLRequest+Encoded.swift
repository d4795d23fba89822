internal import AirframeCore
internal import AirframeTransport
internal import Foundation

extension URLRequest {
    /// Whether the method's parameters belong into the query: that of methods whose content has no meaning (RFC 9110
    /// §9.3.1, §9.3.2, §9.3.5).
    var carriesParametersInQuery: Bool { [.get, .head, .delete].contains(method ?? .get) }

    /// Appends to the query. The fragment is kept.
    ///
    /// - Parameter query: The encoded text. Characters that a query cannot contain are encoded here, because `URL`
    ///   would otherwise encode every percent sign too.
    /// - Returns: `false` if there is no URL to append to.
    mutating func appendQuery(_ query: String) -> Bool {
        guard let text = url?.absoluteString else { return false }
        guard !query.isEmpty else { return true }
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let head = text[..<fragment]
        let separator =
            switch head.utf8.firstIndex(of: UInt8(ascii: "?")).map({ head.utf8[$0...].dropFirst() }) {
            case nil: "?"
            case let query? where query.isEmpty || query.last == UInt8(ascii: "&"): ""
            case _?: "&"
            }
        guard let url = URL(string: head + separator + PercentEncoding.legalQuery.encode(query) + text[fragment...])
        else { return false }
        self.url = url
        return true
    }

    /// Sets the body, and its content type if the request has none.
    mutating func setBody(_ body: Data, contentType: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil {
            setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        httpBody = body
    }
}

/// The content types of the encodings.
enum ContentType {
    static let form = "application/x-www-form-urlencoded; charset=utf-8"
    static let json = "application/json"
    static let propertyList = "application/x-plist"
}
