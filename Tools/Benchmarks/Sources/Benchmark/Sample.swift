/// What the server's 1 KiB of JSON holds.
public struct Sample: Decodable, Sendable {
    /// A number.
    public let id: Int
    /// A short text.
    public let name: String
    /// Some short strings.
    public let tags: [String]
    /// A long text: most of the document.
    public let text: String
}

/// A response that is not what the request asked for.
public struct UnexpectedResponse: Error, CustomStringConvertible {
    /// What is wrong with it.
    public let description: String

    /// Names the fault.
    public init(_ description: String) { self.description = description }

    /// Throws unless `status` is 200 and `count`, the length of the body, is above zero.
    public static func check(status: Int, count: Int) throws(UnexpectedResponse) {
        guard status == 200 else { throw UnexpectedResponse("the status is \(status)") }
        guard count > 0 else { throw UnexpectedResponse("the body is empty") }
    }
}
