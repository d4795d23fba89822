public import AirframeCore
internal import Foundation
public import FoundationNetworking

extension AirframeCore.URLCredential {
    /// FoundationNetworking's form of this credential; `nil` without a user.
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
    /// Airframe's form of this credential; `nil` without a user or a password.
    public var airframe: AirframeCore.URLCredential? {
        guard let user, let password else { return nil }
        return AirframeCore.URLCredential(
            user: user,
            password: password,
            persistence: .init(rawValue: persistence.rawValue) ?? .none
        )
    }
}
