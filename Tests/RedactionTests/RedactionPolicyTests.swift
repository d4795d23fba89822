import AirframeTransport
import HTTPTypes
import Testing

@Suite("Redaction policies", .timeLimit(.minutes(1)))
struct RedactionPolicyTests {
    private let standard = RedactionPolicy.standard

    @Test(
        "The standard policy hides the fields that carry credentials in common use",
        arguments: [
            "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-Api-Key", "x-auth-token",
            "X-Amz-Security-Token", "X-CSRF-Token", "Authentication-Info", "Proxy-Authentication-Info", "PRIVATE-TOKEN",
        ]
    )
    func fields(name: String) {
        #expect(standard.value("s3cret", of: name) == "•••")
        #expect(RedactionPolicy.none.value("s3cret", of: name) == "s3cret")
    }

    @Test(
        "The secrets of URLs in fields are hidden (RFC 9110 §10.2.2, RFC 8288 §3)",
        arguments: [
            ("Location", "https://u:s3cret@host/?token=s3cret#top", "https://u:•••@host/?token=•••#top"),
            ("Content-Location", "/a?access_token=s3cret", "/a?access_token=•••"),
            ("Referer", "https://host/?sig=s3cret&b=1", "https://host/?sig=•••&b=1"),
            ("Refresh", "5; url=https://host/?code=s3cret", "5; url=https://host/?code=•••"),
            (
                "Link", "<https://host/?token=s3cret>; rel=\"next\", </?page=9>; rel=\"last\"",
                "<https://host/?token=•••>; rel=\"next\", </?page=9>; rel=\"last\""
            ),
            ("Link", "<https://host/?a=b", "<https://host/?a=b"),
            ("Link", "<https://host/?token=s3cret", "<https://host/?token=•••"),
            ("Link", "https://u:s3cret@host/", "https://u:•••@host/"),
            ("Link", "</?token=s3cret>, </?token=s3cret", "</?token=•••>, </?token=•••"),
            ("Date", "?token=kept", "?token=kept"),
        ]
    )
    func urlFields(name: String, value: String, expected: String) {
        #expect(standard.value(value, of: name) == expected)
        #expect(RedactionPolicy.none.value(value, of: name) == value)
    }

    @Test(
        "Subprotocols of a WebSocket are hidden if one of them carries a token",
        arguments: [
            ("graphql-transport-ws, v4.channel.k8s.io,v12.stomp , wamp.2.json", false),
            ("v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.c2VjcmV0", true),
            ("realtime, openai-insecure-api-key.sk-1", true), ("Bearer, s3cret", true), ("access_token,s3cret", true),
            ("header-\(String(repeating: "x", count: 64))", true), ("", false),
        ]
    )
    func subprotocols(value: String, isHidden: Bool) {
        #expect(standard.value(value, of: "Sec-WebSocket-Protocol") == (isHidden ? "•••" : value))
        #expect(RedactionPolicy.none.value(value, of: "Sec-WebSocket-Protocol") == value)
    }

    @Test("Fields are redacted one by one, and keep their order and repetitions")
    func allFields() {
        var fields: HTTPFields = [.authorization: "Bearer s3cret", .accept: "*/*"]
        fields.append(HTTPField(name: .setCookie, value: "a=s3cret"))
        fields.append(HTTPField(name: .setCookie, value: "b=s3cret"))
        #expect(
            standard.redacted(fields).map { "\($0.name): \($0.value)" }
                == ["Authorization: Bearer •••", "Accept: */*", "Set-Cookie: •••", "Set-Cookie: •••"]
        )
        #expect(RedactionPolicy.none.redacted(fields) == fields)
    }

    @Test(
        "Secret parameters of a URL are hidden",
        arguments: [
            ("https://host/?token=s3cret", "https://host/?token=•••"),
            ("https://host/?a=1&access_token=s3cret&b=2", "https://host/?a=1&access_token=•••&b=2"),
            ("/path?Access-Token=s3cret", "/path?Access-Token=•••"),
            ("?accessToken=s3cret", "?accessToken=•••"),
            ("?X-Amz-Signature=s3cret&X-Amz-Date=1", "?X-Amz-Signature=•••&X-Amz-Date=1"),
            ("?a=1;token=s3cret;rest&b=2", "?a=1;token=•••&b=2"),
            ("?user[password]=s3cret&user[name]=x", "?user[password]=•••&user[name]=x"),
            ("?user%5Bpassword%5D=s3cret", "?user%5Bpassword%5D=•••"),
            ("?pass%77ord=s3cret", "?pass%77ord=•••"),
            ("?password[]=s3cret&password[]=s3cret", "?password[]=•••&password[]=•••"),
            ("?login.password=s3cret", "?login.password=•••"),
            ("?password=s3/cr?et=s3cret", "?password=•••"),
            ("?token=s3cret#part", "?token=•••#part"),
            ("https://host/#access_token=s3cret&state=1", "https://host/#access_token=•••&state=1"),
            ("https://host/#/callback?id_token=s3cret", "https://host/#/callback?id_token=•••"),
            ("https://host/a;jsessionid=s3cret/b?c=d", "https://host/a;jsessionid=•••/b?c=d"),
            ("https://host/a;v=1;jsessionid=s3cret", "https://host/a;v=1;jsessionid=•••"),
            ("https://host/?next=https://host/?token=s3cret", "https://host/?next=https://host/?token=•••"),
            ("https://host/?next=https://u:s3cret@host/", "https://host/?next=https://u:•••@host/"),
            ("https://host/?to=https%3A%2F%2Fx%2F%3Ftoken%3Ds3cret&a=b", "https://host/?to=•••&a=b"),
            ("https://host/?to=https%3A%2F%2Fu%3As3cret%40x", "https://host/?to=•••"),
            ("https://host/?to=%2F%3Fto%3D%252F%253Ftoken%253Ds3cret", "https://host/?to=•••"),
            ("https://host/?to=%252F%253Ftoken%253Ds3cret&a=b", "https://host/?to=•••&a=b"),
            ("https://u:s3cret@host/?token=s3cret", "https://u:•••@host/?token=•••"),
            ("https://u:s3?token=cret@host/?token=s3cret", "https://u:•••@host/?token=•••"),
            ("?tökén=1&token=s3crét", "?tökén=1&token=•••"),
            ("?token=\u{301}s3cret&\u{301}a=b", "?token=•••&\u{301}a=b"),
        ]
    )
    func parameters(url: String, expected: String) {
        #expect(Array(standard.url(url).unicodeScalars) == Array(expected.unicodeScalars))
        #expect(RedactionPolicy.none.url(url) == url)
    }

    @Test(
        "A URL without secrets is unchanged",
        arguments: [
            "", "?", "#", ";", "?=", "?&&", "?token", "?token=", "?token=&a=b", "?a=token=", "https://host/token=1",
            "https://host/?max_tokens=1&keyword=2&page_token=3", "https://host/a;b=c/d;e", "https://host/?a=%zz%4",
            "https://host/?to=https%3A%2F%2Fx%2F%3Fa%3Db", "https://host/?q=%25%25", "https://host/#password",
        ]
    )
    func harmless(url: String) {
        #expect(standard.url(url) == url)
    }

    @Test("A value that is nested deeply, or long, is processed in bounded time")
    func nesting() {
        let often = "https://host/?a=" + String(repeating: "%25", count: 200_000) + "3D"
        #expect(standard.url(often) == often)
        let many = "https://host/?" + String(repeating: "a=b&://:&", count: 20_000)
        #expect(standard.url(many + "@") != "")
        let beginnings = "@" + String(repeating: "://:x/", count: 50_000)
        #expect(standard.url(beginnings) == beginnings)
    }

    @Test("No text that resembles a URL, a form or JSON traps")
    func garbage() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "?", "&", ";", "#", "=", "%", "@", ":", "/", "://", "[", "]", "{", "}", "\"", "\\", "\\u", "%3D", "%2", " ",
            "a",
            "0", "•", "\u{301}", "token", "password", ",", "<", ">", "+",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0..<20, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let secret = "\(text)&token=s3cret"
            #expect(!standard.form(secret).contains("s3cret"), "\(secret)")
            for hide in [standard.url, standard.form, standard.json, standard.sentence] { _ = hide(text) }
            _ = standard.value(text, of: "Link")
        }
    }

    @Test(
        "Secret parameters of a form are hidden, wherever it is truncated",
        arguments: [
            ("user=pilot&password=s3cret&next=%2F", "user=pilot&password=•••&next=%2F"),
            ("password=s3cret", "password=•••"),
            ("password=s3", "password=•••"),
            ("password=s3;cr#et?&a=b", "password=•••&a=b"),
            ("grant_type=authorization_code&code=s3cret", "grant_type=authorization_code&code=•••"),
            ("name=x&remote=https://pilot:s3cret@git.test/r.git", "name=x&remote=https://pilot:•••@git.test/r.git"),
            ("remote=pilot:s3cret@git.test&mail=a@b", "remote=pilot:•••@git.test&mail=a@b"),
            ("https://s3cret@git.test/r.git", "https://•••@git.test/r.git"),
            ("a=b", "a=b"),
            ("token===&a=b", "token===&a=b"),
            ("password", "password"),
            ("", ""),
        ]
    )
    func forms(form: String, expected: String) {
        #expect(standard.form(form) == expected)
        #expect(RedactionPolicy.none.form(form) == form)
    }

    @Test("A policy that is extended by fields and parameters keeps its own")
    func extending() throws {
        let field = try #require(HTTPField.Name("X-Tenant"))
        let policy = standard.adding(fields: [field], parameters: ["Invitation_Code"])
        #expect(policy.value("s3cret", of: "x-tenant") == "•••")
        #expect(policy.value("s3cret", of: "cookie") == "•••")
        #expect(policy.url("?invitationCode=s3cret&token=s3cret") == "?invitationCode=•••&token=•••")
        #expect(standard.value("kept", of: "x-tenant") == "kept")
        #expect(standard.url("?invitationCode=kept") == "?invitationCode=kept")
    }

    @Test("A policy's properties can be set one by one")
    func setting() {
        var policy = RedactionPolicy.standard
        policy.fields.remove(.setCookie)
        policy.parameters = ["colour"]
        policy.hidesPasswords = false
        #expect(policy.value("a=b", of: "Set-Cookie") == "•••", "by its word")
        policy.matchesWords = false
        #expect(policy.value("a=b", of: "Set-Cookie") == "a=b")
        #expect(policy.url("https://u:p@host/?token=1&Colour=red") == "https://u:p@host/?token=1&Colour=•••")
        #expect(policy.isSecret(parameter: "car.colour") && !policy.isSecret(parameter: "token"))
    }
}
