/// A URI template of any level (RFC 6570): a URL with expressions such as `{id}` or `{?page,tags*}` in it.
///
/// A template is parsed once and expanded as often as needed. It cannot produce anything but the parts that its author
/// wrote: values are percent-encoded, so no value adds a path segment or a query parameter unless the expression allows
/// it.
///
/// ```swift
/// let users = try URITemplate("https://api.test/users/{id}{?fields*}")
/// AF.request(users(["id": 7, "fields": ["sort": "name"]]))
/// AF.request(.template("https://api.test/users/{id}", ["id": 7]))
/// ```
public struct URITemplate: Sendable, Hashable, CustomStringConvertible {
    /// A part of a template.
    enum Part: Sendable, Hashable {
        /// Text outside of expressions, percent-encoded as it appears in the result.
        case literal(String)
        case expression(URITemplateOperator, [Variable])
    }

    /// A variable of an expression (RFC 6570 §2.3) and its modifier (§2.4).
    struct Variable: Sendable, Hashable {
        enum Modifier: Sendable, Hashable {
            case none
            /// The maximum number of characters (Unicode scalars) of the value.
            case prefix(Int)
            case explode
        }

        let name: String
        let modifier: Modifier
    }

    /// The template's text.
    public let description: String

    private let parts: [Part]

    /// Parses a template.
    ///
    /// - Parameter template: The text, for example `https://api.test/search{?q,page}`.
    /// - Throws: ``URITemplateError`` if the text is not a template (RFC 6570 §2).
    public init(_ template: String) throws(URITemplateError) {
        description = template
        var parser = URITemplateParser(template)
        parts = try parser.parse()
    }

    /// The names of the template's variables, in the order of their first appearance.
    public var variableNames: [String] {
        var names: [String] = []
        for case .expression(_, let variables) in parts {
            for variable in variables where !names.contains(variable.name) { names.append(variable.name) }
        }
        return names
    }

    /// Returns the template with its variables replaced (RFC 6570 §3).
    ///
    /// - Parameter values: Values by name. A variable without a value, or with an empty list, expands to nothing.
    /// - Throws: ``URITemplateError`` if an expression has a prefix modifier for a list (RFC 6570 §2.4.1).
    public func expand(_ values: [String: URITemplateValue]) throws(URITemplateError) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .literal(let text): result += text
            case .expression(let operation, let variables):
                var isFirst = true
                for variable in variables {
                    guard let value = values[variable.name], !value.isUndefined else { continue }
                    if case .prefix = variable.modifier, value.isComposite {
                        throw URITemplateError(template: description, reason: .prefixOfComposite(variable.name))
                    }
                    result += isFirst ? operation.first : operation.separator
                    isFirst = false
                    result += operation.expansion(of: value, for: variable)
                }
            }
        }
        return result
    }

    /// Returns the URL of the template with `values`.
    ///
    /// - Parameter values: Values by name.
    public func callAsFunction(_ values: [String: URITemplateValue] = [:]) -> URITemplateURL {
        URITemplateURL(template: description, parsed: .success(self), values: values)
    }
}
