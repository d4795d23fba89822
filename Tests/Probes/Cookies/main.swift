import AirframeCookies
import FoundationEssentials
import Glibc

// A process that changes a file of cookies, for tests that kill it or run several concurrently:
//   cookie-probe FILE round FIRST     writes states without end: each has five cookies with one number as value
//   cookie-probe FILE add NAME COUNT  adds COUNT cookies, each with its own save

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
    print("cookie-probe: a file, what to do, and a number or a name are needed")
    exit(64)
}

func cookie(_ name: String, _ value: Int) -> HTTPCookie? {
    HTTPCookie(
        name: name, value: "\(value)", domain: "api.test", expires: Date().addingTimeInterval(86_400))
}

do {
    let jar = try CookieJar(file: arguments[1])
    switch arguments[2] {
    case "round":
        var number = Int(arguments[3]) ?? 0
        while true {
            number += 1
            for name in ["a", "b", "c", "d", "e"] { if let cookie = cookie(name, number) { jar.insert(cookie) } }
            try jar.save()
        }
    case "add":
        for number in 0..<(arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0) {
            if let cookie = cookie("\(arguments[3])\(number)", number) { jar.insert(cookie) }
            try jar.save()
        }
    default:
        print("cookie-probe: \(arguments[2]) is neither round nor add")
        exit(64)
    }
} catch {
    print("cookie-probe: \(error)")
    exit(1)
}
