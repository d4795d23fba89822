internal import AirframeTransport
public import Foundation

extension PercentEncoding {
    /// The characters of ``Foundation/CharacterSet/afURLQueryAllowed``.
    static let query = PercentEncoding(allowed: .afURLQueryAllowed)

    /// What a query may hold (RFC 3986 §3.4), and the sign of what is encoded already.
    static let legalQuery = PercentEncoding(allowed: .urlQueryAllowed.union(CharacterSet(charactersIn: "%")))

    /// Leaves the ASCII characters of `allowed` as they are.
    init(allowed: CharacterSet) {
        self.init(leaving: (0..<128 as Range<UInt8>).filter { allowed.contains(Unicode.Scalar($0)) })
    }
}

extension CharacterSet {
    /// What needs no encoding in a query's names and values: the characters that RFC 3986 §3.4 allows in a query, less
    /// the general and the sub-delimiters (§2.2), which may mean something to the server; `?` and `/` stay.
    public static let afURLQueryAllowed = CharacterSet.urlQueryAllowed.subtracting(
        CharacterSet(charactersIn: ":#[]@!$&'()*+,;=")
    )
}
