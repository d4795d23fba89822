/// Why the framing of a message is refused.
package struct FramingViolation: Error, Equatable {
    /// A clause that names the faulty part.
    package let message: String

    package init(_ message: String) { self.message = message }
}
