internal import HTTPTypes

extension RedactionPolicy {
    /// The policy for names that commonly carry secrets.
    ///
    /// - Header fields that carry credentials (RFC 9110 §11), cookies (RFC 6265), and the tokens and keys of widespread
    ///   services.
    /// - Parameters that carry passwords, OAuth's tokens and codes (RFC 6749), API keys, session identifiers, and the
    ///   signatures of presigned URLs.
    /// - Names that contain a word of these.
    public static let standard = RedactionPolicy(
        fields: Set(standardFields.compactMap { HTTPField.Name($0) }),
        parameters: Set(standardParameters),
        matchesWords: true,
        exceptions: SecretWords.standardExceptions
    )

    private static let standardFields = [
        "Authorization", "Proxy-Authorization", "Authentication-Info", "Proxy-Authentication-Info", "X-Authorization",
        "Cookie", "Set-Cookie", "Cookie2", "Set-Cookie2",
        "Api-Key", "ApiKey", "X-Api-Key", "X-ApiKey", "X-Goog-Api-Key", "DD-Api-Key", "X-Functions-Key", "X-Auth-Key",
        "Ocp-Apim-Subscription-Key",
        "X-Auth-Token", "X-Access-Token", "X-Refresh-Token", "X-Id-Token", "X-Session-Token", "X-Subject-Token",
        "X-Forwarded-Access-Token", "X-Amz-Security-Token", "X-Vault-Token", "X-Consul-Token", "X-Gitlab-Token",
        "Private-Token", "Job-Token", "X-Shopify-Access-Token", "X-Amzn-Oidc-Data", "X-Amzn-Oidc-Accesstoken",
        "X-CSRF-Token", "X-CSRFToken", "X-XSRF-Token", "CSRF-Token", "XSRF-Token",
        "X-Client-Secret", "CF-Access-Client-Secret", "X-Amz-Server-Side-Encryption-Customer-Key",
        "X-Amz-Copy-Source-Server-Side-Encryption-Customer-Key", "DPoP",
    ]

    private static let standardParameters = [
        "password", "passwd", "pwd", "pass", "passphrase", "passcode", "new_password", "old_password",
        "current_password", "confirm_password", "password_confirmation", "user_password",
        "token", "access_token", "refresh_token", "id_token", "auth_token", "oauth_token", "oauth_token_secret",
        "session_token", "security_token", "api_token", "private_token", "job_token", "subject_token", "actor_token",
        "csrf_token", "xsrf_token", "authenticity_token", "csrf", "jwt", "bearer",
        "secret", "client_secret", "api_secret", "app_secret", "consumer_secret", "shared_secret", "secret_key",
        "api_key", "auth_key", "access_key", "private_key", "signing_key", "encryption_key", "subscription_key",
        "secret_access_key", "AWSAccessKeyId", "authorization", "credential", "credentials",
        "code", "code_verifier", "device_code", "user_code", "otp", "assertion", "client_assertion", "SAMLResponse",
        "signature", "sig", "hmac", "oauth_signature", "oauth_verifier",
        "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "X-Goog-Credential",
        "jsessionid", "phpsessid", "sessionid",
    ]
}
