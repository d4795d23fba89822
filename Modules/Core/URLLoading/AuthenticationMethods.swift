// The values of `URLProtectionSpace.authenticationMethod`, by Foundation's names: the schemes as servers spell them.

/// Basic (RFC 7617).
public let NSURLAuthenticationMethodHTTPBasic = "Basic"
/// Digest (RFC 7616).
public let NSURLAuthenticationMethodHTTPDigest = "Digest"
