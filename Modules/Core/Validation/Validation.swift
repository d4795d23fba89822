public import Foundation
internal import Synchronization

extension Request {
    /// Validations that were added together.
    enum Validator {
        /// Those of `validate()`.
        case byDefault
        /// Those that a closure runs.
        case call(DeferredCall)
    }

    /// The result of a validation: success, or the reason why the response is not valid.
    public typealias ValidationResult = Result<Void, any Error>

    /// Adds validations. All run, in order, when an attempt ends with a response; the first failure counts.
    ///
    /// - Parameter validator: Calls ``accept(_:)`` for each validation. One closure for all validations that are added
    ///   together is one allocation.
    func appendValidator(_ validator: @escaping @Sendable () -> Void) {
        mutable.withLock { $0.validators.append(.call(DeferredCall(validator))) }
    }

    /// Adds the validations of `validate()`. They need no closure, which would be an allocation.
    func appendDefaultValidator() {
        mutable.withLock { $0.validators.append(.byDefault) }
    }

    /// Runs the validations of a validator.
    func run(_ validator: Validator) {
        switch validator {
        case .byDefault: validateByDefault()
        case .call(let validate): validate()
        }
    }

    /// Records the result of a validation. Returns whether the response is valid.
    func accept(_ result: ValidationResult) -> Bool {
        guard case .failure(let failure) = result else { return true }
        fail(with: failure.asAFError(or: .responseValidationFailed(reason: .customValidationFailed(error: failure))))
        return false
    }
}

extension DataRequest {
    /// A validation of a response by its request, head and data.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, Data?) -> ValidationResult

    /// Validates the response with `validation`. Its failure fails the request; an error that is not an ``AFError`` is
    /// the underlying error of ``AFError/responseValidationFailed(reason:)``.
    ///
    /// - Parameter validation: Receives the request, the head of the response, and its data.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidator { [unowned self] in judge(by: CollectionOfOne(validation)) }
        return self
    }

    /// Accepts these status codes and no others. Another one fails the request with
    /// ``AFError/responseValidationFailed(reason:)`` and the reason
    /// ``AFError/ResponseValidationFailureReason/unacceptableStatusCode(code:)``.
    ///
    /// - Parameter acceptableStatusCodes: The status codes.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response, _ in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` matches any type or subtype. Another one fails the
    /// request with ``AFError/responseValidationFailed(reason:)``, as does none unless `*/*` is acceptable; a response
    /// without content is accepted.
    ///
    /// - Parameter acceptableContentTypes: The media types, such as `application/json` or `image/*`
    ///   (RFC 9110 §8.3.1). Evaluated for each response.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response, data in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, isEmpty: data?.isEmpty ?? true)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field. Another response
    /// fails the request with ``AFError/responseValidationFailed(reason:)``. Without a validation, every status is a
    /// success.
    ///
    /// - Returns: This request.
    @discardableResult
    public func validate() -> Self {
        appendDefaultValidator()
        return self
    }

    static let defaultValidations: [Validation] = [
        { _, response, _ in ResponseRules.check(statusCode: 200..<300, of: response) },
        { request, response, data in
            ResponseRules.check(acceptedBy: request, response) { data?.isEmpty ?? true }
        },
    ]

    func judge(by validations: some Sequence<Validation>) {
        let (request, task, hasFailed) = mutable.withLock { ($0.requests.last, $0.tasks.last, $0.error != nil) }
        guard !hasFailed, let response = task?.response else { return }
        let (data, monitor) = (data, monitors)
        for validation in validations {
            let result = validation(request, response, data)
            let isAccepted = accept(result)
            monitor?.request(
                self, didValidateRequest: request, response: response, data: data, withResult: result)
            guard isAccepted else { return }
        }
    }
}

extension DataStreamRequest {
    /// A validation of a response by its request and head.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    /// Validates the response with `validation`. Its failure fails the request; an error that is not an ``AFError`` is
    /// the underlying error of ``AFError/responseValidationFailed(reason:)``.
    ///
    /// - Parameter validation: Receives the request and the head of the response.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidator { [unowned self] in judge(by: CollectionOfOne(validation)) }
        return self
    }

    /// Accepts these status codes and no others. Another one fails the request with
    /// ``AFError/responseValidationFailed(reason:)`` and the reason
    /// ``AFError/ResponseValidationFailureReason/unacceptableStatusCode(code:)``.
    ///
    /// - Parameter acceptableStatusCodes: The status codes.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` matches any type or subtype. Another one fails the
    /// request with ``AFError/responseValidationFailed(reason:)``, as does none unless `*/*` is acceptable.
    ///
    /// - Parameter acceptableContentTypes: The media types, such as `application/json` or `image/*`
    ///   (RFC 9110 §8.3.1). Evaluated for each response.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, isEmpty: false)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field. Another response
    /// fails the request with ``AFError/responseValidationFailed(reason:)``. Without a validation, every status is a
    /// success.
    ///
    /// - Returns: This request.
    @discardableResult
    public func validate() -> Self {
        appendDefaultValidator()
        return self
    }

    static let defaultValidations: [Validation] = [
        { _, response in ResponseRules.check(statusCode: 200..<300, of: response) },
        { request, response in ResponseRules.check(acceptedBy: request, response) { false } },
    ]

    func judge(by validations: some Sequence<Validation>) {
        guard error == nil, let response else { return }
        let (request, monitor) = (request, monitors)
        for validation in validations {
            let result = validation(request, response)
            let isAccepted = accept(result)
            monitor?.request(self, didValidateRequest: request, response: response, withResult: result)
            guard isAccepted else { return }
        }
    }
}

extension DownloadRequest {
    /// A validation of a response by its request, head and file.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, URL?) -> ValidationResult

    /// Validates the response with `validation`. Its failure fails the request; an error that is not an ``AFError`` is
    /// the underlying error of ``AFError/responseValidationFailed(reason:)``.
    ///
    /// - Parameter validation: Receives the request, the head of the response, and the downloaded file.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidator { [unowned self] in judge(by: CollectionOfOne(validation)) }
        return self
    }

    /// Accepts these status codes and no others. Another one fails the request with
    /// ``AFError/responseValidationFailed(reason:)`` and the reason
    /// ``AFError/ResponseValidationFailureReason/unacceptableStatusCode(code:)``.
    ///
    /// - Parameter acceptableStatusCodes: The status codes.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Codes: Sequence & Sendable>(statusCode acceptableStatusCodes: Codes) -> Self
    where Codes.Element == Int {
        validate { _, response, _ in ResponseRules.check(statusCode: acceptableStatusCodes, of: response) }
    }

    /// Accepts these content types and no others. `*` matches any type or subtype. Another one fails the
    /// request with ``AFError/responseValidationFailed(reason:)``, as does none unless `*/*` is acceptable; a response
    /// without content is accepted.
    ///
    /// - Parameter acceptableContentTypes: The media types, such as `application/json` or `image/*`
    ///   (RFC 9110 §8.3.1). Evaluated for each response.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate<Types: Sequence & Sendable>(
        contentType acceptableContentTypes: @autoclosure @escaping @Sendable () -> Types
    ) -> Self where Types.Element == String {
        validate { _, response, file in
            ResponseRules.check(contentType: acceptableContentTypes(), of: response, file: file)
        }
    }

    /// Accepts status codes from 200 to 299, and the content types of the request's `Accept` field. Another response
    /// fails the request with ``AFError/responseValidationFailed(reason:)``. Without a validation, every status is a
    /// success.
    ///
    /// - Returns: This request.
    @discardableResult
    public func validate() -> Self {
        appendDefaultValidator()
        return self
    }

    static let defaultValidations: [Validation] = [
        { _, response, _ in ResponseRules.check(statusCode: 200..<300, of: response) },
        { request, response, file in
            guard let accepted = ResponseRules.acceptableContentTypes(of: request) else { return .success(()) }
            return ResponseRules.check(contentType: accepted, of: response, file: file)
        },
    ]

    func judge(by validations: some Sequence<Validation>) {
        guard error == nil, let response else { return }
        let (request, file, monitor) = (request, fileURL, monitors)
        for validation in validations {
            let result = validation(request, response, file)
            let isAccepted = accept(result)
            monitor?.request(
                self,
                didValidateRequest: request,
                response: response,
                fileURL: file,
                withResult: result
            )
            guard isAccepted else { return }
        }
    }
}

extension WebSocketRequest {
    /// A validation of a handshake's response by its request and head.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    /// Validates the handshake's response with `validation`, before the connection is opened.
    ///
    /// The requirements of RFC 6455 §4.1 are checked in any case.
    ///
    /// - Parameter validation: Receives the request and the head of the response.
    /// - Returns: This request.
    @preconcurrency
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        appendValidator { [unowned self] in
            guard error == nil, let response else { return }
            _ = accept(validation(request, response))
        }
        return self
    }
}
