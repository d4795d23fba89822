/// A result whose failure is an ``AFError``.
public typealias AFResult<Success> = Result<Success, AFError>
