/// An error about an argument, as one sentence.
package struct ItemError: Error, Hashable, CustomStringConvertible {
    /// One sentence, which names the argument. What follows a separator is left out, because it may be a secret, and
    /// so is an argument without one.
    package let description: String

    package init(_ description: String) { self.description = description }
}
