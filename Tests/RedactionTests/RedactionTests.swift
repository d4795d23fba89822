import AirframeTransport
import HTTPTypes
import Testing

@Suite("Redaction", .timeLimit(.minutes(1)))
struct RedactionTests {
    @Test(
        "hides the values of secret fields, and leaves the scheme of a credential",
        arguments: [
            ("Authorization", "Bearer s3cret", "Bearer •••"),
            ("authorization", "Basic dXNlcjpwYXNz", "Basic •••"),
            ("AUTHORIZATION", "Digest username=\"u\", response=\"s3cret\"", "Digest •••"),
            ("Authorization", "AWS4-HMAC-SHA256 Credential=s3cret", "AWS4-HMAC-SHA256 •••"),
            ("Authorization", "s3cret", "•••"),
            ("Authorization", "s3cret= x", "•••"),
            ("Authorization", "Bearer\ts3cret", "•••"),
            ("Authorization", " s3cret", " •••"),
            ("Authorization", "", "•••"),
            ("Authorization ", "Bearer s3cret", "Bearer •••"),
            ("Proxy-Authorization", "Basic s3cret", "Basic •••"),
            ("Cookie", "id=s3cret", "•••"),
            ("Cookie", "a s3cret", "•••"),
            ("Set-Cookie", "id=s3cret; Path=/", "•••"),
        ]
    )
    func secretFields(name: String, value: String, expected: String) {
        #expect(Redaction.value(value, of: name) == expected)
    }

    @Test("leaves other fields alone", arguments: ["Accept", "X-Id", "WWW-Authenticate", "", "not a name"])
    func otherFields(name: String) {
        #expect(Redaction.value("text here", of: name) == "text here")
    }

    @Test("covers the secret fields of HTTP, and is the standard policy")
    func names() {
        #expect(Redaction.secretFields.isSuperset(of: [.authorization, .proxyAuthorization, .cookie, .setCookie]))
        #expect(Redaction.secretFields == RedactionPolicy.standard.fields)
        #expect(Redaction.url("/?token=s3cret") == "/?token=•••")
    }

    @Test(
        "hides the password in a URL",
        arguments: [
            ("https://user:s3cret@host/path", "https://user:•••@host/path"),
            ("https://user:@host", "https://•••:@host"),
            ("https://ghp_s3cret@host/", "https://•••@host/"),
            ("https://:s3cret@host", "https://:•••@host"),
            ("https://user:a:b@host:81/", "https://user:•••@host:81/"),
            ("https://user:p@ss@host/?a=b", "https://user:•••@host/?a=b"),
            ("https://user:s3cret@[::1]:81/", "https://user:•••@[::1]:81/"),
            ("//user:s3cret@host/", "//user:•••@host/"),
            ("user:s3cret@host:3128", "user:•••@host:3128"),
            ("user:s3cret@host @ home", "user:•••@host @ home"),
            ("user:s3cret @host", "user:•••@host"),
            ("user:s3cret@ host", "user:•••@ host"),
            ("user:s3cret@", "user:•••@"),
            ("sip:alice:s3cret@host", "sip:alice:•••@host"),
            ("/login?to=https://user:s3cret@host", "/login?to=https://user:•••@host"),
            ("https://user:s3/cr?et#@host/", "https://user:•••@host/"),
            ("https://user:/s3cret@host/", "https://user:•••@host/"),
            ("https://üser:s3crét@höst/", "https://üser:•••@höst/"),
            ("https://user:s3cret@\u{301}host", "https://user:•••@\u{301}host"),
        ]
    )
    func passwords(url: String, expected: String) {
        // By scalars: a combining mark must not glue itself to the `@` and hide it from the search.
        #expect(Array(Redaction.url(url).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "leaves a URL without a password unchanged",
        arguments: [
            "", ":", "@", "://", "//", "https://", "https://host", "https://host:80/", "user@host",
            "https://host/a:b@c", "https://host:80/?mail=a@b", "https://[::1]/a@b", "https://[::1]:80/a@b", "/path:1@x",
            "?a=b:c@d", "not a URL", "mailto:ann@example.com", "acct:bob@host", "SIP:bob@host:5060", "to=mailto:a@b",
            "cc:@bob", "12:30 @ Bob's", "12:30+@+Bob",
        ]
    )
    func harmless(url: String) {
        #expect(Redaction.url(url) == url)
    }
}
