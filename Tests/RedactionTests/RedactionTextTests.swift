import AirframeTransport
import Testing

@Suite("Redaction of multipart forms, XML and plain text", .timeLimit(.minutes(1)))
struct RedactionTextTests {
    private let standard = RedactionPolicy.standard

    @Test("A part with a secret name is hidden as a whole, others are shown (RFC 7578)")
    func multipart() {
        let body = [
            "--b", "Content-Disposition: form-data; name=\"user\"", "", "pilot",
            "--b", "Content-Disposition: form-data; name=\"password\"", "", "s3", "cret",
            "--b", "Content-Disposition: form-data; name=\"data\"", "Content-Type: application/json", "",
            #"{"token":"s3cret","a":1}"#,
            "--b", "Content-Disposition: form-data; name=\"note\"; filename=\"n.txt\"", "Content-Type: text/plain", "",
            "s3cret",
            "--b--", "",
        ].joined(separator: "\r\n")
        let expected = [
            "--b", "Content-Disposition: form-data; name=\"user\"", "", "pilot",
            "--b", "Content-Disposition: form-data; name=\"password\"", "", "•••",
            "--b", "Content-Disposition: form-data; name=\"data\"", "Content-Type: application/json", "",
            #"{"token":"•••","a":1}"#,
            "--b", "Content-Disposition: form-data; name=\"note\"; filename=\"n.txt\"", "Content-Type: text/plain", "",
            "••• (6 bytes)",
            "--b--", "",
        ].joined(separator: "\r\n")
        #expect(standard.text(body, mediaType: "multipart/form-data; boundary=b") == expected)
        #expect(standard.text(body, mediaType: "Multipart/Form-Data; charset=x; Boundary=\"b\"") == expected)
        #expect(RedactionPolicy.none.text(body, mediaType: "multipart/form-data; boundary=b") == body)
    }

    @Test(
        "A malformed or truncated multipart body shows no content without a known name",
        arguments: [
            "s3cret", "--b\r\ns3cret", "--b\r\nContent-Disposition: form-data; name=\"a\r\ns3cret",
            "s3cret\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data;\r\n name=\"password\"\r\n\r\ns3cret\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3c\r\n\r\nret s3cret",
            "--b\nContent-Disposition: form-data; name=password\n\ns3cret\n--b--",
            "--b\r\ncontent-disposition: form-data; name*=UTF-8''password\r\n\r\ns3cret\r\n--b--",
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\ns3cret\r\n--c--\r\n--b--",
            "--b\r\n\u{301}Content-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n--b--",
            "--b--\r\ns3cret",
        ]
    )
    func malformedMultipart(body: String) {
        #expect(!standard.text(body, mediaType: "multipart/form-data; boundary=b").contains("s3cret"))
        #expect(!standard.text(body, mediaType: "multipart/form-data").contains("s3cret"))
    }

    @Test("A boundary with line feeds, which no message can have, hides the body as any other")
    func boundaryWithLineFeeds() {
        #expect(standard.multipart("--a\n--a\n--a", boundary: "a\n--a") == "--a\n--a\r\n•••\r\n")
        let mediaType = "multipart/form-data; boundary=\"a\n--a\""
        #expect(!standard.text("--a\n--a\n--a\n--a s3cret", mediaType: mediaType).contains("s3cret"))
    }

    @Test(
        "Elements, attributes and pairs with a secret name are hidden in XML and HTML",
        arguments: [
            ("<a><password>s3cret</password><b>1</b></a>", "<a><password>•••</password><b>1</b></a>"),
            ("<x:Password a=\"1\"><b>s3cret</b></x:Password>", "<x:Password a=\"1\">•••</x:Password>"),
            ("<token><token>s3cret</token>s3cret</token>!", "<token>•••</token>!"),
            ("<login user=\"pilot\" password='s3cret'/>", "<login user=\"pilot\" password='•••'/>"),
            ("<a b=\"x>y\" token=s3cret>1</a>", "<a b=\"x>y\" token=•••>1</a>"),
            ("<entry key=\"password\">s3cret</entry>", "<entry key=\"password\">•••</entry>"),
            ("<add key=\"ApiKey\" value=\"s3cret\"/>", "<add key=\"ApiKey\" value=\"•••\"/>"),
            ("<input name=\"csrf\" value=\"s3cret\"><p>x</p>", "<input name=\"csrf\" value=\"•••\"><p>x</p>"),
            (
                "<dict><key>password</key><string>s3cret</string><key>a</key><true/></dict>",
                "<dict><key>password</key><string>•••</string><key>a</key><true/></dict>"
            ),
            (
                "<member><name>password</name><value><string>s3cret</string></value></member>",
                "<member><name>password</name><value>•••</value></member>"
            ),
            ("<a><Key>s3cret</Key></a>", "<a><Key>•••</Key></a>"),
            ("<password><![CDATA[s3</password>cret]]></password>", "<password>•••</password>"),
            ("<!-- s3cret --><a/>", "<!--•••--><a/>"),
            ("<a href=\"https://u:s3cret@h/\">https://u:s3cret@h/</a>", "<a href=\"•••\">https://u:•••@h/</a>"),
            ("<password>s3cret", "<password>•••"),
            ("<a password=\"s3cret", "<a password=\"•••"),
            ("<p>5 < 6, don't</p><token>s3cret</token>", "<p>5 < 6, don't</p><token>•••</token>"),
            ("<p title=don't>x</p><token>s3cret</token>", "<p title=don't>x</p><token>•••</token>"),
            ("<p>1 < 2 <token>s3cret</token></p>", "<p>1 < 2 <token>•••</token></p>"),
            ("<a href=\"x><token>s3cret</token><b c=\"d\">", "<a href=\"•••\"d\">"),
            ("<a id = 'x><token>s3cret</token>", "<a id = '•••"),
            ("<a b==\"x><token>s3cret</token>", "<a b==\"x><token>•••</token>"),
            ("<a=\"b><token>s3cret</token>", "<a=\"b><token>•••</token>"),
            ("<token><![CDATA[a>b</token>s3cret]]></token>", "<token>•••</token>"),
            ("<token><!-- > </token> -->s3cret</token>", "<token>•••</token>"),
            ("<login password=s3<cret><a/>", "<login password=••••••"),
            ("<input name=csrf value=<s3cret>", "<input name=csrf value=•••"),
            (
                "<a><![CDATA[<login><password>s3cret</password></login>]]></a>",
                "<a><![CDATA[<login><password>•••</password></login>]]></a>"
            ),
            ("<a><![CDATA[a=1&password=s3cret]]>b</a>", "<a><![CDATA[a=1&password=•••]]>b</a>"),
            ("<a><![CDATA[{\"password\":\"s3cret\"}", "<a><![CDATA[{\"password\":\"•••\"}"),
            ("<string>{\"password\":\"s3cret\"}</string>", "<string>{\"password\":\"•••\"}</string>"),
            (
                "<m>&lt;password&gt;s3cret&lt;/password&gt; &#x26;</m>",
                "<m>&lt;password&gt;•••&lt;/password&gt; &amp;</m>"
            ),
            ("<m>&amp;lt;token&amp;gt;s3cret</m>", "<m>&amp;lt;token&amp;gt;•••</m>"),
            ("<m>{&quot;token&quot;:&quot;s3cret&quot;}</m>", "<m>{\"token\":\"•••\"}</m>"),
            (
                "<p>Open https://h/?token=s3cret and click the button</p>",
                "<p>Open https://h/?token=••• and click the button</p>"
            ),
            ("<p>\n https://u:s3 cret@h/ </p>", "<p>\n https://u:•••@h/ </p>"),
            ("<m>/cb?a=1&amp;code=4711</m>", "<m>/cb?a=1&amp;code=•••</m>"),
            ("<a data='{&quot;token&quot;:&quot;s3cret&quot;}'/>", "<a data='•••'/>"),
        ]
    )
    func xml(xml: String, expected: String) {
        #expect(standard.text(xml, mediaType: "application/xml") == expected)
        #expect(standard.text(xml, mediaType: "application/soap+xml; charset=utf-8") == expected)
        #expect(standard.text(xml, mediaType: nil) == expected)
        #expect(RedactionPolicy.none.text(xml, mediaType: "text/xml") == xml)
    }

    @Test("XML without secrets is unchanged")
    func harmlessXML() {
        let xml =
            "<?xml version=\"1.0\"?><!DOCTYPE a><a b=\"c\"><key>x</key><d/> text &amp; more <e>f</e>"
            + "<p>See https://h:8443 or write to ann@example.com</p>"
            + "<f>&lt;b c=\"d\"&gt;e&lt;/b&gt; &#65; &nbsp; &#xFFFFFFFF; &</f><![CDATA[<b>c</b> {\"d\":1}]]></a>"
        #expect(standard.xml(xml) == xml)
    }

    @Test(
        "Text without names, and malformed JSON, is replaced by its length",
        arguments: [
            ("s3cret", "text/plain"), ("user,s3cret", "text/csv"), ("password: s3cret", "application/yaml"),
            ("data: s3cret\n\n", "text/event-stream"), ("\"s3cret\"", "application/json"),
            ("{'password':'s3cret'}", "application/json"), ("{password: s3cret}", "application/json"),
            ("s3cret", "application/xml"), ("s3cret", "application/json"),
        ]
    )
    func plain(text: String, type: String) {
        #expect(standard.text(text, mediaType: type) == "••• (\(text.utf8.count) bytes)")
        var policy = standard
        policy.showsPlainText = true
        #expect(policy.text(text, mediaType: type) == text)
    }

    @Test("Adversarial text is processed in bounded time")
    func bounded() {
        let count = 50_000
        let pieces = [
            "<key>", "<password>", "<a b=", "<", "<!--", "<![CDATA[", "</a>", "<a \"", "<a b=\"", "<name></name>",
        ]
        for piece in pieces {
            _ = standard.xml(String(repeating: piece, count: count))
        }
        for piece in ["&lt;a&gt;", "&amp;amp;lt;", "<![CDATA[\"<a>", "\"<\"", "<a b=\"&quot;&lt;"] {
            _ = standard.xml("<a>" + String(repeating: piece, count: count / 10))
        }
        for piece in ["--b\r\n", "--b\r\na: b\r\n\r\n", "\r\n\r\n", "--b--\r\n", "a: b\r\n"] {
            _ = standard.multipart(String(repeating: piece, count: count), boundary: "b")
        }
    }
}
