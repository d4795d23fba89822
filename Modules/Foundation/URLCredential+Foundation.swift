public import AirframeCore
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLCredential {
    /// The credential as FoundationNetworking's type; `nil` without a user.
    public var foundation: FoundationNetworking.URLCredential? {
        guard let user else { return nil }
        return FoundationNetworking.URLCredential(
            user: user,
            password: password ?? "",
            persistence: .init(rawValue: persistence.rawValue) ?? .none
        )
    }
}

extension FoundationNetworking.URLCredential {
    /// The credential as Airframe's type; `nil` without a user or a password.
    public var airframe: AirframeCore.URLCredential? {
        guard let user, let password else { return nil }
        return AirframeCore.URLCredential(
            user: user,
            password: password,
            persistence: .init(rawValue: persistence.rawValue) ?? .none
        )
    }
}
