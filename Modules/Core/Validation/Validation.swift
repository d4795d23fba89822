public import Foundation
internal import Synchronization

extension Request {
    /// What a validation finds: nothing, or why the response will not do.
    public typealias ValidationResult = Result<Void, any Error>

    /// Adds a validation. All run, in order, when an attempt ends with a response; the first failure counts.
    ///
    /// - Parameter validate: Returns `nil` when there is nothing to validate.
    func appendValidation(_ validate: @escaping @Sendable () -> ValidationResult?) {
        let validator: @Sendable () -> Void = { [unowned self] in
            guard error == nil, case .failure(let failure)? = validate() else { return }
            fail(
                with: failure.asAFError(or: .responseValidationFailed(reason: .customValidationFailed(error: failure))))
        }
        mutable.withLock { $0.validators.append(validator) }
    }
}

extension DataRequest {
    /// Judges a response by its request, head and data.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, Data?) -> ValidationResult

    /// Validates the response with `validation`.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidation { [unowned self] in
            guard let response else { return nil }
            let data = data
            let result = validation(request, response, data)
            monitors?.request(self, didValidateRequest: request, response: response, data: data, withResult: result)
            return result
        }
        return self
    }

    /// Accepts these status codes and no others.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response, _ in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` stands for any type or subtype.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response, data in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, isEmpty: data?.isEmpty ?? true)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: 200..<300).validate { request, response, data in
            ResponseRules.check(acceptedBy: request, response) { data?.isEmpty ?? true }
        }
    }
}

extension DataStreamRequest {
    /// Judges a response by its request and head.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    /// Validates the response with `validation`.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidation { [unowned self] in
            guard let response else { return nil }
            let result = validation(request, response)
            monitors?.request(self, didValidateRequest: request, response: response, withResult: result)
            return result
        }
        return self
    }

    /// Accepts these status codes and no others.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` stands for any type or subtype.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, isEmpty: false)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: 200..<300).validate { request, response in
            ResponseRules.check(acceptedBy: request, response) { false }
        }
    }
}

extension DownloadRequest {
    /// Judges a response by its request, head and file.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    /// Validates the response with `validation`.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidation { [unowned self] in
            guard let response else { return nil }
            let file = fileURL
            let result = validation(request, response, file)
            monitors?.request(
                self,
                didValidateRequest: request,
                response: response,
                fileURL: file,
                withResult: result
            )
            return result
        }
        return self
    }

    /// Accepts these status codes and no others.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response, _ in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` stands for any type or subtype.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response, file in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, file: file)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field.
    @discardableResult
    public func validate() -> Self {
        validate(statusCode: 200..<300).validate { request, response, file in
            guard let accepted = ResponseRules.acceptableContentTypes(of: request) else { return .success(()) }
            return ResponseRules.check(contentType: accepted, of: response, file: file)
        }
    }
}
