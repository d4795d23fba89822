import AirframeTransport
import HTTPTypes
import Testing

@Suite("Names of secrets", .timeLimit(.minutes(1)))
struct SecretNameTests {
    private let standard = RedactionPolicy.standard

    @Test(
        "A field is a secret if its name contains a secret word",
        arguments: [
            "X-Token", "X-Secret", "X-Access-Key", "X-RapidAPI-Key", "X-Session-Id", "X-Signature",
            "X-Hub-Signature-256", "X-Jwt-Assertion", "X-Webhook-Secret", "X-Acme-Api-Key", "Acme-Password", "X-Auth",
            "X-Acme-Authorization", "x-acme-token2", "X-Otp", "X-Sas", "Ticket", "X-XSRF", "AcmeToken", "X-ACME-KEY",
            "X-Db-Passwd", "Key", "X-Hmac", "X-Pin", "Acme_Access_Key_V2", "X-Cache-Session-Key", "Cookie2",
        ]
    )
    func fields(name: String) throws {
        let name = try #require(HTTPField.Name(name))
        #expect(standard.isSecret(field: name))
        #expect(standard.value("s3cret", of: name) == "•••")
        #expect(!RedactionPolicy.none.isSecret(field: name))
    }

    @Test(
        "Names that only resemble secret ones are shown",
        arguments: [
            "Idempotency-Key", "X-Idempotency-Key", "Sec-WebSocket-Key", "Sec-WebSocket-Accept", "Public-Key-Pins",
            "Public-Key-Pins-Report-Only", "X-Cache-Key", "Surrogate-Key", "Keyword", "X-Monkey", "WWW-Authenticate",
            "Proxy-Authenticate", "Access-Control-Allow-Credentials", "Access-Control-Allow-Headers", "X-Author",
            "Authority", "Content-Type", "ETag", "X-Request-Id", "Strict-Transport-Security", "Host", "Accept",
            "Content-Security-Policy", "X-Passenger", "X-Compass", "Pinned", "X-Design", "Sasl-Mechanism", "Location",
            "X-Tokenizer", "Secretary",
        ]
    )
    func harmlessFields(name: String) throws {
        #expect(!standard.isSecret(field: try #require(HTTPField.Name(name))))
    }

    @Test(
        "The same names are secret in queries, forms, JSON, multipart forms and XML",
        arguments: [
            "key", "auth", "session", "reset_token", "sas", "ticket", "resetToken", "dbPassword", "user[new_password]",
            "login.userPIN", "APIKey", "apikey", "access-key", "pass-word", "x_signature", "sessionToken", "jwt",
            "clientSecret", "CSRFToken", "oauth2Token", "mysqlpassword", "verification_code",
        ]
    )
    func parameters(name: String) {
        #expect(standard.isSecret(parameter: name))
        #expect(standard.url("https://h/?\(name)=s3cret&a=b") == "https://h/?\(name)=•••&a=b")
        #expect(standard.form("\(name)=s3cret&a=b") == "\(name)=•••&a=b")
        #expect(standard.json("{\"\(name)\":\"s3cret\",\"a\":1}") == "{\"\(name)\":\"•••\",\"a\":1}")
        let part = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\ns3cret\r\n--b--\r\n"
        #expect(!standard.text(part, mediaType: "multipart/form-data; boundary=b").contains("s3cret"))
        #expect(!standard.xml("<entry name=\"\(name)\">s3cret</entry>").contains("s3cret"))
    }

    @Test(
        "Parameters that only look like secrets are shown",
        arguments: [
            "keyword", "monkey", "author", "page_token", "max_tokens", "token_type", "public_key", "primaryKey",
            "key_id", "passenger", "pinned", "design", "compass", "status_code", "q", "",
        ]
    )
    func harmlessParameters(name: String) {
        #expect(!standard.isSecret(parameter: name))
    }

    @Test("A policy can except more names, and its lists take precedence over exceptions")
    func exceptions() throws {
        let policy = standard.excepting(["X-Build-Key", "Authorization"])
        #expect(!policy.isSecret(field: try #require(HTTPField.Name("X-Build-Key"))))
        #expect(!policy.isSecret(parameter: "build_key") || !policy.exceptions.contains("build_key"))
        #expect(policy.isSecret(field: .authorization))
        #expect(standard.isSecret(field: try #require(HTTPField.Name("X-Build-Key"))))
    }

    @Test("A name of any length is processed in linear time")
    func length() {
        let name = String(repeating: "aB-", count: 200_000)
        #expect(!standard.isSecret(parameter: name))
        #expect(standard.isSecret(parameter: name + "token"))
    }
}
