import AirframeCore
import AirframeEncoding
import AirframeTransport
import Foundation

/// Places for secrets whose names are on no list, and bodies of every kind.
enum SweepPlaces {
    typealias Place = RedactionSweepTests.Place

    private static var secret: String { Sweep.secret }

    static let all = [
        place("fields of services' own") { session, origin in
            let names = [
                "X-Token", "X-Secret", "X-Access-Key", "X-RapidAPI-Key", "X-Session-Id", "X-Signature",
                "X-Hub-Signature-256", "X-Jwt-Assertion", "X-Webhook-Secret", "X-Acme-Passwd", "Acme-Otp", "Cookie2",
            ]
            return session.request(
                "\(origin)/ok", headers: HTTPHeaders(names.map { .init(name: $0, value: "\(secret)") }))
        },
        place("query names of services' own") { session, origin in
            let names = [
                "key", "auth", "session", "reset_token", "sas", "ticket", "userPIN", "db-password", "x[apiKey]",
            ]
            return session.request("\(origin)/ok?" + names.map { "\($0)=\(secret)" }.joined(separator: "&"))
        },
        place("a token as a user's name") { session, origin in
            session.request(origin.replacing("://", with: "://\(secret)@") + "/ok")
        },
        body("a form", "application/x-www-form-urlencoded", "reset_token=\(secret)&user[dbPassword]=\(secret)"),
        body("JSON", "application/json", #"{"a":[{"webhookSecret":"\#(secret)"},{"session":{"x":"\#(secret)"}}]}"#),
        body("JSON as text", "text/plain", #"{"apiKey":"\#(secret)"}"#),
        body("JSON that is none", "application/json", "{password: '\(secret)'}"),
        body("a JSON text", "application/json", "\"\(secret)\""),
        body("XML", "text/xml; charset=utf-8", "<a><b:password>\(secret)</b:password><c token='\(secret)'/></a>"),
        body("SOAP", "application/soap+xml", "<e><Token>\(secret)</Token></e>"),
        body(
            "a property list", "application/x-plist",
            "<plist><dict><key>apiKey</key><string>\(secret)</string></dict></plist>"
        ),
        body("plain text", "text/plain", "\(secret)", isPlain: true),
        body("YAML", "application/yaml", "password: \(secret)", isPlain: true),
        body("text without a type", nil, "\(secret)", isPlain: true),
        body("text of an unknown type", "application/x-acme", "\(secret)", isPlain: true),
        body("binary content", "application/octet-stream", "\u{0}\(secret)", isPlain: true),
        body("a multipart form by hand", "multipart/form-data; boundary=b", part),
        body("a multipart form without a boundary", "multipart/form-data", part, isPlain: true),
        place("a multipart form", isPlain: true) { session, origin in
            session.upload(
                multipartFormData: { form in
                    form.append(Data("\(secret)".utf8), withName: "new_password")
                    form.append(Data(#"{"token":"\#(secret)"}"#.utf8), withName: "data", mimeType: "application/json")
                    form.append(Data("\(secret)".utf8), withName: "file", fileName: "f.txt", mimeType: "text/plain")
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
            session.request("\(origin)/elsewhere?key=\(secret)", method: .post) { $0.httpBody = Data("\(secret)".utf8) }
        },
        place("a redirect from https") { session, origin in
            session.request(origin.replacing("http:", with: "https:") + "/down?key=\(secret)")
        },
        place("an invalid URL with a harmless name") { session, _ in session.request("http://[/?harmless=\(secret)") },
        place("an invalid URL with an @") { session, _ in session.request("http://\(secret) @[/") },
    ]

    private static var part: String {
        "--b\r\nContent-Disposition: form-data; name=\"dbPassword\"\r\n\r\n\(secret)\r\n--b--\r\n"
    }

    private static func place(
        _ name: String,
        isPlain: Bool = false,
        _ make: @escaping @Sendable (Session, String) -> DataRequest
    ) -> Place {
        Place(testDescription: name, hasPlainText: isPlain, make: make)
    }

    private static func body(
        _ name: String,
        _ type: String?,
        _ text: @escaping @autoclosure @Sendable () -> String,
        isPlain: Bool = false
    ) -> Place {
        place("a body: \(name)", isPlain: isPlain) { session, origin in
            session.request("\(origin)/ok", method: .post) {
                $0.httpBody = Data(text().utf8)
                if let type { $0.setValue(type, forHTTPHeaderField: "Content-Type") }
            }
        }
    }
}
