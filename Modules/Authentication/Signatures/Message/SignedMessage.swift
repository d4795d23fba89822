internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// The values of the components of a message (RFC 9421 §2).
enum SignedMessage {
    case request(HTTPRequest)
    case response(HTTPResponse, request: HTTPRequest?, trailers: HTTPFields?)

    /// Returns the value of `component`.
    ///
    /// - Throws: ``MessageSignatureError/missingComponent(_:reason:)``.
    func value(of component: SignatureComponent) throws(MessageSignatureError) -> String {
        var parameters = component.item.parameters
        if parameters["req"] == .boolean(true) {
            guard case .response(_, let request?, _) = self else {
                throw missing(component, "there is no request that the message answers (RFC 9421 §2.4)")
            }
            parameters["req"] = nil
            let inner = SignatureComponent(StructuredItem(component.item.value, parameters))
            return try SignedMessage.request(request).value(of: inner)
        }
        if component.name.hasPrefix("@") { return try derived(component) }
        return try field(component)
    }

    // MARK: Derived components

    private func derived(_ component: SignatureComponent) throws(MessageSignatureError) -> String {
        let allowed: Set<String> = component.name == "@query-param" ? ["name"] : []
        for pair in component.item.parameters.pairs where !allowed.contains(pair.key) {
            throw missing(component, "the parameter \(pair.key) is not defined for it")
        }
        switch (component.name, self) {
        case ("@status", .response(let head, _, _)): return "\(head.status.code)"
        case (_, .request(let head)):
            guard let value = try derived(component, of: head) else {
                throw missing(component, "it is not defined for requests (RFC 9421 §2.2)")
            }
            return value
        default: throw missing(component, "it is not defined for responses (RFC 9421 §2.2)")
        }
    }

    private func derived(
        _ component: SignatureComponent,
        of head: HTTPRequest
    ) throws(MessageSignatureError) -> String? {
        let target = head.sentTarget
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        switch component.name {
        case "@method": return head.method.rawValue
        case "@scheme": return head.scheme?.lowercased() ?? ""
        case "@authority": return Self.authority(of: head)
        case "@target-uri": return "\(head.scheme?.lowercased() ?? "")://\(Self.authority(of: head))\(target)"
        case "@request-target": return target
        case "@path": return parts.first.map { $0.isEmpty ? "/" : String($0) } ?? "/"
        case "@query": return "?" + (parts.count > 1 ? String(parts[1]) : "")
        case "@query-param":
            guard case .string(let name) = component.item.parameters["name"] else {
                throw missing(component, "it has no name (RFC 9421 §2.2.8)")
            }
            let values = QueryPairs.pairs(of: parts.count > 1 ? parts[1] : "").filter { $0.name == name }
            guard values.count == 1 else {
                let reason = "the query has \(values.count) parameters of that name, and one is needed"
                throw missing(component, "\(reason) (RFC 9421 §2.2.8)")
            }
            return values[0].value
        default: return nil
        }
    }

    /// Lower case, without the default port (RFC 9421 §2.2.3).
    private static func authority(of head: HTTPRequest) -> String {
        (head.sentAuthority ?? "").lowercased().withoutDefaultPort(of: head.scheme)
    }

    // MARK: Fields

    private func field(_ component: SignatureComponent) throws(MessageSignatureError) -> String {
        var form = Form.plain
        var isTrailer = false
        for (key, value) in component.item.parameters.pairs {
            switch (key, value) {
            case ("sf", .boolean(true)) where form == .plain: form = .structured
            case ("bs", .boolean(true)) where form == .plain: form = .bytes
            case ("key", .string(let name)) where form == .plain || form == .structured: form = .member(name)
            case ("tr", .boolean(true)): isTrailer = true
            default: throw missing(component, "the parameter \(key) is unknown or contradicts another (RFC 9421 §2.1)")
            }
        }
        let lines = lines(component.name, isTrailer: isTrailer)
        guard !lines.isEmpty else { throw missing(component, "the message does not have the field") }
        let text = lines.joined(separator: ", ")
        do throws(StructuredFieldError) {
            switch form {
            case .plain: return text
            case .bytes:
                return lines.map { StructuredBareItem.bytes(Data($0.utf8)).serialized }.joined(separator: ", ")
            case .structured: return try Self.canonical(text)
            case .member(let key):
                guard let member = try StructuredFieldParser.dictionary(text)[key] else {
                    throw StructuredFieldError(reason: "the dictionary has no member \(key)", offset: 0)
                }
                return member.serialized
            }
        } catch {
            throw missing(component, "\(error)")
        }
    }

    private enum Form: Equatable {
        case plain
        case structured
        case bytes
        case member(String)
    }

    /// The strict form of a field whose type is not known: an item, else a list, else a dictionary. The three differ
    /// only for dictionaries that repeat a key.
    private static func canonical(_ text: String) throws(StructuredFieldError) -> String {
        if let item = try? StructuredFieldParser.item(text) { return item.serialized }
        if let list = try? StructuredFieldParser.list(text) { return list.serialized }
        return try StructuredFieldParser.dictionary(text).serialized
    }

    /// The lines of a field, without surrounding whitespace.
    private func lines(_ name: String, isTrailer: Bool) -> [String] {
        guard let fieldName = HTTPField.Name(name) else { return [] }
        let fields: HTTPFields
        switch self {
        case .request(let head):
            if name == "host", !head.headerFields.contains(fieldName), let authority = head.sentAuthority {
                return [authority]
            }
            fields = isTrailer ? [:] : head.headerFields
        case .response(let head, _, let trailers): fields = isTrailer ? trailers ?? [:] : head.headerFields
        }
        return fields[values: fieldName].map { value in
            var text = value[...]
            while let last = text.last, last == " " || last == "\t" { text.removeLast() }
            return String(text.drop { $0 == " " || $0 == "\t" })
        }
    }

    private func missing(_ component: SignatureComponent, _ reason: String) -> MessageSignatureError {
        .missingComponent(component.description, reason: reason)
    }
}
