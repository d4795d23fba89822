import AirframeCommandLine
import Testing

@Suite("Calls of curl", .timeLimit(.minutes(1)))
struct CurlCommandTests {
    @Test(
        "a command is split as a shell does it",
        arguments: [
            (#"curl -H 'A: b c' "x\"y" z\ w"#, ["curl", "-H", "A: b c", "x\"y", "z w"]),
            ("curl \\\n  -d 'it'\\''s' u", ["curl", "-d", "it's", "u"]),
            (#"curl -d $'a\nb\u0021' u"#, ["curl", "-d", "a\nb!", "u"]),
            (#"curl -d "50$" '' # comment"#, ["curl", "-d", "50$", ""]),
        ]
    )
    func words(command: String, words: [String]) throws { #expect(try ShellWords.split(command) == words) }

    @Test(
        "syntax that only a shell can execute is rejected",
        arguments: [
            "curl $URL", "curl \"${URL}\"", "curl `cat url`", "curl u | sh", "curl u; ls", "curl 'u", "curl \"u",
            "curl u > f",
        ])
    func refusedWords(command: String) { #expect(throws: ItemError.self) { try ShellWords.split(command) } }

    @Test("a quoted word is read back unchanged", arguments: ["plain", "it's", "a b", "", "$x", "é", "a\nb"])
    func quoting(word: String) throws { #expect(try ShellWords.split(ShellWords.quoted(word)) == [word]) }

    private func arguments(_ command: String) throws -> [String] { try CurlCommand(command).arguments() }

    private static let translations: [(String, [String])] = [
        ("curl https://h/", ["request", "GET", "https://h/", "--no-location"]),
        ("curl -L h/a", ["request", "GET", "http://h/a"]),
        ("curl -LI https://h/", ["request", "HEAD", "https://h/"]),
        (
            "curl -L https://h/ -d a=1 --data-raw @b",
            [
                "request", "POST", "https://h/", "--header=Content-Type: application/x-www-form-urlencoded",
                "--data-raw=a=1&@b",
            ]
        ),
        ("curl -LG https://h/?x -d a=1 -d b=2", ["request", "GET", "https://h/?x&a=1&b=2"]),
        ("curl -L -Gd a https://h/", ["request", "GET", "https://h/?a"]),
        (
            "curl -L --json '{}' https://h/",
            [
                "request", "POST", "https://h/", "--header=Content-Type: application/json",
                "--header=Accept: application/json", "--data-raw={}",
            ]
        ),
        ("curl -L -XDELETE -H 'A: b' https://h/", ["request", "DELETE", "https://h/", "--header=A: b"]),
        ("curl -L -H 'Accept:' https://h/", ["request", "GET", "https://h/", "Accept:"]),
        ("curl -L -H 'A;' https://h/", ["request", "GET", "https://h/", "--header=A;"]),
        (
            "curl -L -d a -H Content-Type: https://h/",
            ["request", "POST", "https://h/", "--data-raw=a", "Content-Type:"]
        ),
        (
            "curl -L -H Content-Type: --data-raw ------x --oauth2-bearer -t https://h/",
            [
                "request", "POST", "https://h/", "--header=Authorization: Bearer -t", "--data-raw=------x",
                "Content-Type:",
            ]
        ),
        (
            "curl -L -u '' -d '' https://h/ -H Content-Type:",
            ["request", "POST", "https://h/", "--data-raw", "", "--user", "", "Content-Type:"]
        ),
        ("curl -L -F -a=b https://h/", ["request", "POST", "https://h/", "--multipart", "--", "-a=b"]),
        ("curl -Lk --cacert f https://h/", ["request", "GET", "https://h/", "--insecure"]),
        ("curl -L -T f https://h/", ["request", "PUT", "https://h/f", "--upload-file=f"]),
        ("curl -L -T 'a/b c' h", ["request", "PUT", "http://h/b%20c", "--upload-file=a/b c"]),
        ("curl -L -T f https://h/d/#x", ["request", "PUT", "https://h/d/f#x", "--upload-file=f"]),
        ("curl -L -T f https://h/g", ["request", "PUT", "https://h/g", "--upload-file=f"]),
        ("curl -L -T f https://h/?x", ["request", "PUT", "https://h/?x", "--upload-file=f"]),
        ("curl -L -T - https://h/", ["request", "PUT", "https://h/", "--upload-file=-"]),
        (
            "curl -L -F a=1 -F 'p=@x.png;type=image/png' https://h/",
            ["request", "POST", "https://h/", "--multipart", "a=1", "p@x.png;type=image/png"]
        ),
        (
            "curl -Lk -u n:p --compressed https://h/",
            ["request", "GET", "https://h/", "--insecure", "--user=n:p"]
        ),
        (
            "curl -L --http2 -m 5 --retry 3 https://h/",
            ["request", "GET", "https://h/", "--max-time=5", "--retry=3"]
        ),
        ("curl -L -b a=1 -sS https://h/", ["request", "GET", "https://h/", "--header=Cookie: a=1"]),
        ("curl -L -b a=1 -b b=2 https://h/", ["request", "GET", "https://h/", "--header=Cookie: a=1; b=2"]),
        ("curl -L -b f -c f https://h/", ["request", "GET", "https://h/", "--cookie-jar=f"]),
        (
            "curl -L -F 'p=@x;type=text/a;charset=utf-8' --form-string 'a=b;c' https://h/",
            ["request", "POST", "https://h/", "--multipart", "p@x;type=text/a;charset=utf-8", "a=b;c"]
        ),
        (
            "curl -L --pinnedpubkey 'sha256//AA=;sha256//BB=' https://h/",
            ["request", "GET", "https://h/", "--pin=sha256/AA=", "--pin=sha256/BB="]
        ),
        (
            "curl -L --data-urlencode 'a=b c' https://h/",
            [
                "request", "POST", "https://h/", "--header=Content-Type: application/x-www-form-urlencoded",
                "--data-raw=a=b%20c",
            ]
        ),
        (
            "curl -L -d @f https://h/",
            [
                "request", "POST", "https://h/", "--header=Content-Type: application/x-www-form-urlencoded",
                "--data=@f",
            ]
        ),
        (
            "curl -L --aws-sigv4 aws:amz:eu-central-1:s3 https://h/",
            ["request", "GET", "https://h/", "--aws-sigv4=eu-central-1:s3"]
        ),
    ]

    @Test("a command becomes arguments of airframe", arguments: translations)
    func translation(command: String, words: [String]) throws { #expect(try arguments(command) == words) }

    private static let refusals: [(String, String)] = [
        ("curl --ftp-pasv https://h/", "--ftp-pasv"), ("curl", "URL"), ("curl https://h/ -H", "-H"),
        ("curl a b", "2 URLs"), ("curl -d a -F b=c u", "one body"), ("curl -d a -d @f u", "files"),
        ("curl -H 'Bearer s3cret' u", "no colon"), ("curl --form-string a=@s3cret u", "'a'"),
        ("curl -F x==s3cret u", "'x'"), ("curl -G -F a=b u", "-G and -F"),
        ("curl -G -d @f u", "'@f'"), ("curl -d a -T f u", "-T"), ("curl -F a=b -T f u", "-T"),
        ("curl -b old -c new u", "-b old and -c new"), ("curl -b old u", "-b old"),
        ("curl -F 'p=@f;filename=x' u", "';filename'"),
        ("curl -F 'p=@f;type=a/b;headers=s3cret' u", "';headers'"), ("curl -F 'p=@\"f\"' u", "without quotes"),
        ("curl -F 'a=b;s3cret' u", "text of 'a'"), ("curl -F s3cret u", "-F"),
        ("curl --form-string s3cret u", "no name"),
        ("curl -F 'a=<s3cret' u", "'a'"), ("curl -F 'a=@\"s3cret\"' u", "'a'"),
        ("curl --data-urlencode p@s3cret u", "--data-urlencode"),
        ("curl --data-urlencode s3cret@word u", "--data-urlencode"),
        ("curl https://u:s3cret@a/ 'https://b/?token=s3cret'", "2 URLs"),
    ]

    @Test("an option or a part without a counterpart is rejected by name, without its value", arguments: refusals)
    func refused(command: String, word: String) {
        let error = #expect(throws: ItemError.self) { try arguments(command) }
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("s3cret") == false, "\(error?.description ?? "")")
    }

    @Test("the Swift code has the method, fields, body and credentials, quoted")
    func swift() throws {
        let command = try CurlCommand(
            #"curl -X PATCH -u ada:pw -H 'X-A: "q" \(x)' -d '{"a":1}' https://api.test/u"#)
        #expect(
            SwiftProgram(command).text == #"""
                import Airframe
                import Foundation

                let headers: HTTPHeaders = [
                    "X-A": "\"q\" \\(x)",
                    "Content-Type": "application/x-www-form-urlencoded",
                ]
                let body = Data("{\"a\":1}".utf8)
                let response = await AF.upload(body, to: "https://api.test/u", method: .patch, headers: headers)
                    .redirect(using: .doNotFollow)
                    .authenticate(username: "ada", password: "pw")
                    .validate()
                    .serializingData()
                    .response
                print(response.response?.statusCode ?? 0, response.error.map { "\($0)" } ?? "")
                print(String(decoding: response.data ?? Data(), as: UTF8.self))

                """#)
    }

    @Test("the Swift code of forms and files; options of a session are named, without their values")
    func swiftForms() throws {
        let form = SwiftProgram(try CurlCommand("curl -F a=1 -F p=@x/y.png -F 'q=@z;type=image/png' https://h/")).text
        #expect(form.contains(#"form.append(Data("1".utf8), withName: "a")"#))
        #expect(form.contains(#"form.append(URL(filePath: "x/y.png"), withName: "p")"#))
        #expect(form.contains(#"fileName: "z", mimeType: "image/png")"#))
        let upload = SwiftProgram(try CurlCommand("curl -T f --proxy http://u:secret@p -L https://h/")).text
        #expect(upload.contains(#"AF.upload(URL(filePath: "f"), to: "https://h/f", method: .put)"#))
        #expect(upload.hasSuffix("// Set on the session's configuration: --proxy\n"))
        #expect(!upload.contains("secret"))
    }
}
