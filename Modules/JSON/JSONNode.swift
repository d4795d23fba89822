/// A value of a document, or a key: where its bytes are, and where the next one is.
///
/// The nodes of a document are one array in the order of the text. An object's node is followed by its keys and values in
/// turn, an array's by its elements.
struct JSONNode {
    enum Kind: UInt8 {
        case null, `true`, `false`, number, object, array
        /// A text in ASCII without escapes.
        case plainString
        /// A text beyond ASCII without escapes.
        case unicodeString
        /// A text with escapes.
        case escapedString
    }

    let kind: Kind
    /// The first byte; of a text, the one after the quotation mark.
    let start: UInt32
    /// The byte after the last; of a container, the number of its members.
    var end: UInt32
    /// The node after this one and all that is in it.
    var next: UInt32

    var isString: Bool { kind.rawValue >= Kind.plainString.rawValue }
}
