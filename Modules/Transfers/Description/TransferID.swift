/// The number of a transfer in its queue. Numbers are never given twice.
public struct TransferID: RawRepresentable, Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int64

    /// Names a transfer by its number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number as text.
    public var description: String { "\(rawValue)" }

    /// Orders transfers as they were added.
    public static func < (left: TransferID, right: TransferID) -> Bool { left.rawValue < right.rawValue }
}
