internal import Foundation

extension AFError {
    /// The error with resume data in it, where it has a place for that.
    func with(resumeData: Data) -> AFError {
        guard case .sessionTaskFailed(let error as URLError) = self else { return self }
        var information = error.userInfo
        information[Self.resumeDataKey] = resumeData
        return .sessionTaskFailed(error: URLError(error.code, userInfo: information))
    }
}
