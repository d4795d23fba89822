public import AirframeCore

/// The default session, for requests that need no session of their own.
///
/// ```swift
/// let user = try await AF.request("https://api.test/user/1").serializingDecodable(User.self).value
/// ```
public let AF = Session.default
