import Testing

@testable import AirframeTransport

@Suite("Resumed tasks", .timeLimit(.minutes(1)))
struct ResumedTasksTests {
    @Test("three tasks are many, until a poll resumes fewer")
    func counts() {
        let tasks = ResumedTasks()
        #expect(!tasks.areMany)
        for (count, areMany) in [(2, false), (3, true), (64, true), (0, false), (5, true), (1, false)] {
            tasks.note(count: count)
            #expect(tasks.areMany == areMany, "\(count) tasks")
        }
    }
}
