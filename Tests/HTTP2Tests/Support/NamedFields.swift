import HTTPTypes

extension HTTPFields {
    /// Fields by their names; a name that is none is left out.
    init(named values: [String: String]) {
        self.init()
        for (name, value) in values {
            if let name = HTTPField.Name(name) { self[name] = value }
        }
    }
}
