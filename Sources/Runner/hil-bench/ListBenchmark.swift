import Foundation
import HIL
import POSIX

/// Times `hil list`, as a process from start to exit, with far more scenarios than a project has.
struct ListBenchmark {
    static let count = 5_000

    /// This program, which lists generated scenarios when it is asked to.
    let program: String

    /// Scenarios with tags and budgets like those of people.
    static func scenarios(_ count: Int) -> [NamedScenario] {
        (1...max(1, count)).map { number in
            NamedScenario(
                "generatedScenario\(number)", file: "Generated/GeneratedScenario\(number).swift",
                Scenario(
                    "Scenario number \(number) does what it says", .tags(.smoke, .pairing), .budget(.seconds(30)),
                    run: { _ in }))
        }
    }

    /// Milliseconds.
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
