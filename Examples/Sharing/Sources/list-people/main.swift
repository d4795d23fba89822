import Foundation
import People

// list-people URL: prints the people of a service.
guard let base = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
    print("usage: list-people URL")
    exit(2)
}
do {
    for person in try await PeopleService(base: base).people() { print(person.id, person.name) }
    print("tasks:", RequestCounter.shared.counts.tasks)
} catch {
    print(error.localizedDescription)
    exit(1)
}
