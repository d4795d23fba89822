/// A request that gets an error status and a sentence instead of what it asked for.
struct Failure: Error, CustomStringConvertible {
    let status: Int
    let description: String
    let fields: [Field]

    init(_ status: Int, _ description: String, fields: [Field] = []) {
        self.status = status
        self.description = description
        self.fields = fields
    }

    var reply: Reply {
        .json(["error": .string(description)], status: status, fields: fields)
    }
}
