/// An error about an argument, as one sentence.
package struct ItemError: Error, Hashable, CustomStringConvertible {
    /// One sentence, which names the argument. It has no values, which may be secrets.
    package let description: String

    package init(_ description: String) { self.description = description }
}
