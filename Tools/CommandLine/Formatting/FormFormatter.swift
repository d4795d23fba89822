/// A form for a person: a line for each field, decoded.
package struct FormFormatter: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// The fields of a form.
    package func text(_ form: String) -> String {
        FormEncoding.pairs(form)
            .map {
                "\(style.paint($0.name.safeForTerminals, .name)): \(style.paint($0.value.safeForTerminals, .string))\n"
            }
            .joined()
    }
}
