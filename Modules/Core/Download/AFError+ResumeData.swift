internal import Foundation

extension AFError {
    /// Returns the error with resume data, if it can carry any.
    func with(resumeData: Data) -> AFError {
        guard case .sessionTaskFailed(let error as URLError) = self else { return self }
        var information = error.userInfo
        information[Self.resumeDataKey] = resumeData
        return .sessionTaskFailed(error: URLError(error.code, userInfo: information))
    }
}
