import AirframeCookies
import FoundationEssentials

let jar = CookieJar()
if let url = URL(string: "https://www.example.co.uk/"), let request = CookieRequest(url: url) {
    jar.receive(["a=b; Domain=example.co.uk; Secure"], for: request)
    print(jar.cookies(for: url).count)
}
