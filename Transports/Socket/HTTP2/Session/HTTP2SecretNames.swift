internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// The names of request fields that carry secrets, by the policy that also hides them from logs.
enum HTTP2SecretNames {
    // Guards the answers for the first names, as they are spelled: the policy splits a name into words for each.
    private static let answers = Mutex<[String: Bool]>([:])
    private static let capacity = 256

    static func contains(_ name: HTTPField.Name) -> Bool {
        if let known = answers.withLock({ $0[name.rawName] }) { return known }
        let isSecret = RedactionPolicy.standard.isSecret(field: name)
        answers.withLock { answers in
            if answers.count < capacity { answers[name.rawName] = isSecret }
        }
        return isSecret
    }
}
