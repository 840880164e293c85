import Foundation
import HIL
import HILPOSIX

/// Measures how long `hil list` takes, from the start of the process to its exit, with far more scenarios than usual.
struct ListBenchmark {
    static let count = 5_000

    /// The path of this program. With the argument `list` it lists generated scenarios.
    let program: String

    /// Generated scenarios with ordinary tags and budgets.
    static func scenarios(_ count: Int) -> [NamedScenario] {
        (1...max(1, count)).map { number in
            NamedScenario(
                "generatedScenario\(number)", file: "Generated/GeneratedScenario\(number).swift",
                Scenario(
                    "Scenario number \(number) does what it says", .tags(.smoke, .pairing), .budget(.seconds(30)),
                    run: { _ in }))
        }
    }

    /// The times of `count` runs, in milliseconds.
    func samples(count: Int) async throws -> [Double] {
        var samples: [Double] = []
        for _ in 0..<count { samples.append(try await sample()) }
        return samples
    }

    private func sample() async throws -> Double {
        let (read, write) = try Descriptor.pipe()
        let began = ContinuousClock.now
        let child = try ChildProcess.spawn(
            [program, "list", "\(ListBenchmark.count)"], streams: [.null, .descriptor(write), .inherit])
        write.close()
        var lines = 0
        while case let bytes = try read.read(), !bytes.isEmpty {
            lines += bytes.count { $0 == UInt8(ascii: "\n") }
        }
        let status = await child.wait()
        guard status.isSuccess, lines == ListBenchmark.count else {
            throw Incomplete(description: "the list has \(lines) lines, not \(ListBenchmark.count); it \(status)")
        }
        return (ContinuousClock.now - began) / .milliseconds(1)
    }

    struct Incomplete: Error, CustomStringConvertible {
        let description: String
    }
}
