import AirframeCore
import AirframeEncoding
import AirframeTransport
import Foundation

/// Places for secrets whose names are on no list, and bodies of every kind.
enum SweepPlaces {
    typealias Place = RedactionSweepTests.Place

    static let all = [
        place("fields of services' own") { session, origin in
            let names = [
                "X-Token", "X-Secret", "X-Access-Key", "X-RapidAPI-Key", "X-Session-Id", "X-Signature",
                "X-Hub-Signature-256", "X-Jwt-Assertion", "X-Webhook-Secret", "X-Acme-Passwd", "Acme-Otp", "Cookie2",
            ]
            return session.request("\(origin)/ok", headers: HTTPHeaders(names.map { .init(name: $0, value: "s3cret") }))
        },
        place("query names of services' own") { session, origin in
            let names = [
                "key", "auth", "session", "reset_token", "sas", "ticket", "userPIN", "db-password", "x[apiKey]",
            ]
            return session.request("\(origin)/ok?" + names.map { "\($0)=s3cret" }.joined(separator: "&"))
        },
        place("a token as a user's name") { session, origin in
            session.request(origin.replacing("://", with: "://s3cret@") + "/ok")
        },
        body("a form", "application/x-www-form-urlencoded", "reset_token=s3cret&user[dbPassword]=s3cret"),
        body("JSON", "application/json", #"{"a":[{"webhookSecret":"s3cret"},{"session":{"x":"s3cret"}}]}"#),
        body("JSON as text", "text/plain", #"{"apiKey":"s3cret"}"#),
        body("JSON that is none", "application/json", "{password: 's3cret'}"),
        body("a JSON text", "application/json", "\"s3cret\""),
        body("XML", "text/xml; charset=utf-8", "<a><b:password>s3cret</b:password><c token='s3cret'/></a>"),
        body("SOAP", "application/soap+xml", "<e><Token>s3cret</Token></e>"),
        body(
            "a property list", "application/x-plist",
            "<plist><dict><key>apiKey</key><string>s3cret</string></dict></plist>"
        ),
        body("plain text", "text/plain", "s3cret", isPlain: true),
        body("YAML", "application/yaml", "password: s3cret", isPlain: true),
        body("text without a type", nil, "s3cret", isPlain: true),
        body("text of an unknown type", "application/x-acme", "s3cret", isPlain: true),
        body("binary content", "application/octet-stream", "\u{0}s3cret", isPlain: true),
        body("a multipart form by hand", "multipart/form-data; boundary=b", part),
        body("a multipart form without a boundary", "multipart/form-data", part, isPlain: true),
        place("a multipart form", isPlain: true) { session, origin in
            session.upload(
                multipartFormData: { form in
                    form.append(Data("s3cret".utf8), withName: "new_password")
                    form.append(Data(#"{"token":"s3cret"}"#.utf8), withName: "data", mimeType: "application/json")
                    form.append(Data("s3cret".utf8), withName: "file", fileName: "f.txt", mimeType: "text/plain")
                },
                to: "\(origin)/ok"
            )
        },
        place("a response in XML") { session, origin in session.request("\(origin)/xml") },
        place("a response in HTML") { session, origin in session.request("\(origin)/page") },
        place("a response in plain text", isPlain: true) { session, origin in session.request("\(origin)/plain") },
        place("a response without a type", isPlain: true) { session, origin in session.request("\(origin)/untyped") },
        place("a response that is a JSON text") { session, origin in session.request("\(origin)/bare") },
        place("a response's fields of services' own") { session, origin in session.request("\(origin)/odd-fields") },
        place("redirects without end") { session, origin in session.request("\(origin)/endless") },
        place("a redirect of content", isPlain: true) { session, origin in
            session.request("\(origin)/elsewhere?key=s3cret", method: .post) { $0.httpBody = Data("s3cret".utf8) }
        },
        place("a redirect from https") { session, origin in
            session.request(origin.replacing("http:", with: "https:") + "/down?key=s3cret")
        },
        place("an invalid URL with a harmless name") { session, _ in session.request("http://[/?harmless=s3cret") },
        place("an invalid URL with an @") { session, _ in session.request("http://s3cret @[/") },
    ]

    private static let part = "--b\r\nContent-Disposition: form-data; name=\"dbPassword\"\r\n\r\ns3cret\r\n--b--\r\n"

    private static func place(
        _ name: String,
        isPlain: Bool = false,
        _ make: @escaping @Sendable (Session, String) -> DataRequest
    ) -> Place {
        Place(testDescription: name, hasPlainText: isPlain, make: make)
    }

    private static func body(_ name: String, _ type: String?, _ text: String, isPlain: Bool = false) -> Place {
        place("a body: \(name)", isPlain: isPlain) { session, origin in
            session.request("\(origin)/ok", method: .post) {
                $0.httpBody = Data(text.utf8)
                if let type { $0.setValue(type, forHTTPHeaderField: "Content-Type") }
            }
        }
    }
}
