/// An open value: the place that an encoder or a container writes to.
struct JSONFrame {
    enum Content {
        /// Nothing has been written.
        case empty
        /// A complete value has been written.
        case value
        /// An object is open.
        case object
        /// An array is open.
        case array
    }

    /// The position of a frame among the open ones, and the number that distinguishes it from others at the position.
    struct Identifier {
        let index: Int
        let serial: Int

        /// No frame: nothing can be written to it.
        static let complete = Identifier(index: .max, serial: 0)
    }

    let serial: Int
    var content: Content
    /// Whether the object's keys are data, which no strategy converts.
    var keepsKeys = false
    /// The number of members or elements.
    var count = 0
    /// The index of the object's first entry in the writer's list of members.
    var firstMember = 0
}
