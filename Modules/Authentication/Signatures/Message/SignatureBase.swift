internal import AirframeTransport
internal import FoundationEssentials

/// The text that is signed (RFC 9421 §2.5).
struct SignatureBase {
    /// The covered components and the parameters, as `Signature-Input` has them.
    let input: StructuredMember
    let text: String

    /// - Throws: A component has no value, or is covered twice.
    init(
        _ components: [SignatureComponent],
        _ parameters: StructuredParameters,
        of message: SignedMessage
    ) throws(MessageSignatureError) {
        input = .innerList(components.map(\.item), parameters)
        var covered: Set<String> = []
        var lines: [String] = []
        for component in components {
            let identifier = component.description
            // The order of parameters does not make a component another one.
            let keys = component.item.parameters.pairs.map { "\($0.key)=\($0.value.serialized)" }.sorted()
            guard covered.insert(component.name + keys.joined(separator: ";")).inserted else {
                throw .repeatedComponent(identifier)
            }
            let value = try message.value(of: component)
            guard !value.utf8.contains(UInt8(ascii: "\n")) else {
                throw .missingComponent(identifier, reason: "its value has a line break (RFC 9421 §2.5)")
            }
            lines.append("\(identifier): \(value)")
        }
        lines.append("\"@signature-params\": \(input.serialized)")
        text = lines.joined(separator: "\n")
    }
}
