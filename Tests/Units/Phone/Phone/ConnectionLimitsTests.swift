import RadioModel
import TestSupport
import Testing

@testable import HILPhone

@Suite("Connection limits")
struct ConnectionLimitsTests {
    @Test(
        "What Apple's guidelines allow is accepted", .covers("C14"),
        arguments: [
            ConnectionParameters(milliseconds: 15...30, timeout: .seconds(2)),
            ConnectionParameters(milliseconds: 15...15, timeout: .seconds(2)),
            ConnectionParameters(milliseconds: 30...60, latency: 4, timeout: .seconds(6)),
            ConnectionParameters(milliseconds: 45...60, latency: 30, timeout: .seconds(6)),
        ])
    func accepted(_ wanted: ConnectionParameters) {
        #expect(ConnectionLimits().problems(with: wanted).isEmpty)
    }

    @Test(
        "What they do not allow is refused, with the reason", .covers("C14"),
        arguments: [
            (ConnectionParameters(milliseconds: 20...60, timeout: .seconds(2)), "a multiple of 15.0 ms"),
            (ConnectionParameters(milliseconds: 7.5...30, timeout: .seconds(2)), "a multiple of 15.0 ms"),
            (ConnectionParameters(milliseconds: 30...30, timeout: .seconds(2)), "at least 15.0 ms more"),
            (ConnectionParameters(milliseconds: 15...30, latency: 31, timeout: .seconds(6)), "at most 30"),
            (ConnectionParameters(milliseconds: 15...30, timeout: .seconds(1)), "2000 to 6000 ms"),
            (ConnectionParameters(milliseconds: 15...30, timeout: .seconds(7)), "2000 to 6000 ms"),
            (ConnectionParameters(milliseconds: 90...105, latency: 30, timeout: .seconds(6)), "at most 2000.0 ms"),
            (ConnectionParameters(milliseconds: 150...300, latency: 3, timeout: .seconds(3)), "three times"),
        ])
    func refused(_ wanted: ConnectionParameters, because reason: String) {
        let problems = ConnectionLimits().problems(with: wanted)
        #expect(problems.contains { $0.contains(reason) }, "\(wanted): \(problems)")
    }

    @Test("Parameters are told in milliseconds")
    func description() {
        let parameters = ConnectionParameters(milliseconds: 7.5...30, latency: 4, timeout: .milliseconds(420))
        #expect("\(parameters)" == "interval 7.50 to 30 ms, latency 4, supervision timeout 420 ms")
        #expect(ConnectionParameters(milliseconds: 1e300...(.infinity)).longestInterval == 64_000)
    }
}
