/// The reason that a message cannot be signed, or that its signature is invalid (RFC 9421).
public enum MessageSignatureError: Error, Sendable, Hashable {
    /// The message has no such component, or the component has no defined value.
    case missingComponent(String, reason: String)
    /// The same component is covered twice (RFC 9421 §2.5).
    case repeatedComponent(String)
    /// `Signature` or `Signature-Input` is missing or malformed.
    case malformed(String)
    /// No signature has the wanted label or tag.
    case missingSignature(String)
    /// The signature does not cover a component that is required.
    case uncoveredComponent(String)
    /// The signature is older, or newer, than is allowed, or has expired.
    case expired(String)
    /// The key is unusable, or is not for the algorithm that the signature names.
    case unusableKey(String)
    /// The signature does not match the message.
    case mismatch(label: String)
    /// The content does not have the digest that its field announces (RFC 9530).
    case digestMismatch(algorithm: String)
}

extension MessageSignatureError: CustomStringConvertible {
    /// The reason, in one line.
    public var description: String {
        switch self {
        case .missingComponent(let component, let reason): "the component \(component) cannot be signed: \(reason)"
        case .repeatedComponent(let component): "the component \(component) is covered twice (RFC 9421 §2.5)"
        case .malformed(let reason): "the signature's fields are malformed: \(reason)"
        case .missingSignature(let name): "the message has no signature \(name)"
        case .uncoveredComponent(let component): "the signature does not cover \(component)"
        case .expired(let reason): "the signature is not valid at this time: \(reason)"
        case .unusableKey(let reason): "the key cannot be used: \(reason)"
        case .mismatch(let label): "the signature \(label) does not match the message"
        case .digestMismatch(let algorithm): "the content does not have the announced \(algorithm) digest (RFC 9530)"
        }
    }
}
