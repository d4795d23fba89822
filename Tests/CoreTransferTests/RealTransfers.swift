import Testing

/// Tests that need servers, time or the whole machine, one after the other: side by side they would wait for each other
/// until their own limits ran out.
@Suite("Transfers over real engines", .serialized)
enum RealTransfers {}
