import HTTPTypes

extension HTTPFields {
    /// Fields by name. Invalid names are left out.
    init(named values: [String: String]) {
        self.init()
        for (name, value) in values {
            if let name = HTTPField.Name(name) { self[name] = value }
        }
    }
}
