public import Foundation

/// The reason why a string is not a URI template, or cannot be expanded.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that the template violates.
    public enum Reason: Sendable, Hashable {
        /// An expression is not closed.
        case unclosedExpression
        /// A brace closes no expression.
        case unexpectedClosingBrace
        /// An expression has no variable.
        case emptyExpression
        /// The operator is reserved for extensions (RFC 6570 §2.2).
        case reservedOperator(Character)
        /// The text is not a variable name with an optional modifier (RFC 6570 §2.3, §2.4).
        case invalidVariable(String)
        /// The character is not allowed outside of an expression (RFC 6570 §2.1).
        case invalidLiteral(Character)
        /// The variable's value is a list or has keys, and the expression asks for its first characters (RFC 6570
        /// §2.4.1).
        case prefixOfComposite(String)
    }

    /// The template.
    public let template: String
    /// The rule that it violates.
    public let reason: Reason

    init(template: String, reason: Reason) {
        self.template = template
        self.reason = reason
    }

    /// The template and the rule, in one line.
    public var description: String {
        let words =
            switch reason {
            case .unclosedExpression: "an expression is not closed"
            case .unexpectedClosingBrace: "a closing brace has no opening one"
            case .emptyExpression: "an expression names no variable"
            case .reservedOperator(let name): "the operator \(name.debugDescription) is reserved (RFC 6570 §2.2)"
            case .invalidVariable(let text): "\(text.debugDescription) is not a variable (RFC 6570 §2.3)"
            case .invalidLiteral(let character):
                "\(character.debugDescription) is not allowed outside an expression (RFC 6570 §2.1)"
            case .prefixOfComposite(let name):
                "\(name.debugDescription) has several values, and a prefix applies to one (RFC 6570 §2.4.1)"
            }
        return "the URI template \(template.debugDescription) is invalid: \(words)"
    }
}

extension URITemplateError: LocalizedError {
    /// The template and the rule, in one line.
    public var errorDescription: String? { description }
}
