/// The error of a message whose framing is malformed.
package struct FramingViolation: Error, Equatable {
    /// A clause that names the faulty part.
    package let message: String

    package init(_ message: String) { self.message = message }
}
