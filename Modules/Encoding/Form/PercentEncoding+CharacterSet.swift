internal import AirframeTransport
public import Foundation

extension PercentEncoding {
    /// The characters of ``Foundation/CharacterSet/afURLQueryAllowed``.
    static let query = PercentEncoding(allowed: .afURLQueryAllowed)

    /// The characters of a query (RFC 3986 §3.4), and the percent sign of escapes.
    static let legalQuery = PercentEncoding(allowed: .urlQueryAllowed.union(CharacterSet(charactersIn: "%")))

    /// Creates an encoding that leaves the ASCII characters of `allowed` unchanged, except the space: its text depends
    /// on ``URLEncodedFormEncoder/SpaceEncoding`` alone.
    init(allowed: CharacterSet) {
        self.init(
            leaving: (0..<128 as Range<UInt8>).filter {
                $0 != UInt8(ascii: " ") && allowed.contains(Unicode.Scalar($0))
            })
    }
}

extension CharacterSet {
    /// The characters that need no encoding in a query's names and values: those that RFC 3986 §3.4 allows in a query,
    /// except gen-delims and sub-delims (§2.2), which may have a meaning for the server; `?` and `/` are included.
    public static let afURLQueryAllowed = CharacterSet.urlQueryAllowed.subtracting(
        CharacterSet(charactersIn: ":#[]@!$&'()*+,;=")
    )
}
