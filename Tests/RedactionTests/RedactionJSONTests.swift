import AirframeTransport
import Testing

@Suite("Redaction of text bodies", .timeLimit(.minutes(1)))
struct RedactionJSONTests {
    private let standard = RedactionPolicy.standard

    @Test(
        "The values of secret keys are hidden, regardless of their type (RFC 8259)",
        arguments: [
            (#"{"user":"pilot","password":"s3cret"}"#, #"{"user":"pilot","password":"•••"}"#),
            (#"{ "password" : "s3cret" , "a" : 1 }"#, #"{ "password" : "•••" , "a" : 1 }"#),
            (#"{"password":"s3\"cr\\"}"#, #"{"password":"•••"}"#),
            (#"{"pass\u0077ord":"s3cret"}"#, #"{"pass\u0077ord":"•••"}"#),
            (#"{"accessToken":4711,"b":2}"#, #"{"accessToken":"•••","b":2}"#),
            (#"{"secret":{"a":["s3cret","}"]},"b":[1]}"#, #"{"secret":"•••","b":[1]}"#),
            (#"{"credentials":["s3cret"]}"#, #"{"credentials":"•••"}"#),
            (#"[{"token":"s3cret"},{"token":"s3cret"}]"#, #"[{"token":"•••"},{"token":"•••"}]"#),
            ("{\"token\":\"s3cret\"}\n{\"token\":\"s3cret\"}", "{\"token\":\"•••\"}\n{\"token\":\"•••\"}"),
            (#"{"token":"s3cr"#, #"{"token":"•••""#),
            (#"{"token":s3cr"#, #"{"token":"•••""#),
            (#"{"token":["s3cret","#, #"{"token":"•••""#),
            (#"{"code":"s3cret"}"#, #"{"code":"•••"}"#),
            (#"{"body":"{\"token\":\"s3cret\"}"}"#, #"{"body":"•••"}"#),
            (#"{"next":"https://h/?token=s3cret","a":1}"#, #"{"next":"https://h/?token=•••","a":1}"#),
            (#"{"next":"https:\/\/u:s3cret@h\/"}"#, #"{"next":"https://u:•••@h/"}"#),
            (#"{"next":"/callback?code=4711&state=x"}"#, #"{"next":"/callback?code=•••&state=x"}"#),
            (#"{"body":"[see https://u:s3cret@h/]"}"#, #"{"body":"[see https://u:•••@h/]"}"#),
            (#"{"href":"//u:s3cret@h/x"}"#, #"{"href":"//u:•••@h/x"}"#),
            (#"{"next":"see /a?token=s3cret for more"}"#, #"{"next":"see /a?token=••• for more"}"#),
            (
                #"{"body":"grant_type=password&password=s3cret&a=b"}"#,
                #"{"body":"grant_type=password&password=•••&a=b"}"#
            ),
            (#"{"body":"a=https://u:s3cret@h/&b=1"}"#, #"{"body":"a=https://u:•••@h/&b=1"}"#),
            (#"{"body":"<a><password>s3cret</password></a>"}"#, #"{"body":"<a><password>•••</password></a>"}"#),
            (#"{"body":"failed: <password>s3cret</password>"}"#, #"{"body":"failed: <password>•••</password>"}"#),
        ]
    )
    func json(json: String, expected: String) {
        #expect(standard.json(json) == expected)
        #expect(RedactionPolicy.none.json(json) == json)
    }

    @Test(
        "JSON without secrets is unchanged",
        arguments: [
            "", "{", "\"", "{}", #"{"a":"password"}"#, #"["password","x"]"#, #"{"password":null,"token":""}"#,
            #"{"token":true}"#, #"{"code":404}"#, #"{"max_tokens":1}"#, "no JSON at all: \"password\"", #"{"token":"#,
            #"{"next":"https://h/?a=b"}"#, #"{"a":"\ud83d\ude00\u12"}"#,
            #"{"a":"/callback?state=x","b":"a=b&c=d","c":"<a b=\"c\">d</a>","d":"is 1 < 2? yes: a@b"}"#,
            #"{"body":"{\"user\":\"ann\",\"email\":\"ann@example.com\"}"}"#,
            #"{"contact":"mailto:ann@example.com","subject":"acct:bob@h","note":"cc:@bob"}"#,
            #"{"a":"VG9rZW4tU2lkLUtleQ==","b":"data:image/png;base64,SidKeyPin=="}"#,
        ]
    )
    func harmless(json: String) {
        #expect(standard.json(json) == json)
    }

    @Test("Text of many quotes and brackets is processed in bounded time")
    func bounded() {
        let quotes = String(repeating: "\"a\":[{", count: 100_000)
        #expect(standard.json(quotes) == quotes)
        let escapes = String(repeating: "\"\\\"\\\\", count: 100_000)
        _ = standard.json(escapes)
    }

    @Test(
        "A text body is redacted by its media type, or by its first byte if the type is generic",
        arguments: [
            ("password=s3cret&a=b", "application/x-www-form-urlencoded; charset=utf-8", "password=•••&a=b"),
            (#"{"password":"s3cret"}"#, "application/json", #"{"password":"•••"}"#),
            (#"{"password":"s3cret"}"#, "application/problem+json;x=y", #"{"password":"•••"}"#),
            (#"{"password":"s3cret",}"#, "application/x-www-form-urlencoded", #"{"password":"•••",}"#),
            (#" [1,{"password":"s3cret"}]"#, "application/x-www-form-urlencoded", #" [1,{"password":"•••"}]"#),
            ("{password: s3cret}", "application/x-www-form-urlencoded", "••• (18 bytes)"),
            ("<token>s3cret</token>", "application/x-www-form-urlencoded", "<token>•••</token>"),
            ("[0][token]=s3cret&a=b", "application/x-www-form-urlencoded", "[0][token]=•••&a=b"),
            (#" {"password":"s3cret"}"#, "text/plain", #" {"password":"•••"}"#),
            (#"[{"password":"s3cret"}]"#, nil, #"[{"password":"•••"}]"#),
            ("s3cret", "text/plain", "••• (6 bytes)"),
            ("s3cret", nil, "••• (6 bytes)"),
            ("", "text/plain", ""),
        ] as [(String, String?, String)]
    )
    func text(body: String, type: String?, expected: String) {
        #expect(standard.text(body, mediaType: type) == expected)
    }

    @Test("Only the secrets of its URLs are hidden in a sentence")
    func sentences() {
        let sentence = "no route: https://u:s3cret@h:1/ (https://h/?token=s3cret) and a@b: what? 5; 6#7 /x?code=s3cret"
        let expected = "no route: https://u:•••@h:1/ (https://h/?token=••• and a@b: what? 5; 6#7 /x?code=•••"
        #expect(standard.sentence(sentence) == expected)
    }
}
