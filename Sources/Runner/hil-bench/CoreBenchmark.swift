import Foundation
import POSIX

/// Takes the figures that need no rig: matching and cryptography, in an optimised program of its own.
struct CoreBenchmark {
    /// The program `hil-core-bench`, built for release.
    let program: String

    func measurements() async throws -> [Measurement] {
        let lines = try await output(of: [program]).split(separator: "\n").map {
            $0.split(separator: "\t").map { String($0) }
        }
        func cases(_ kind: String) -> [(name: String, samples: [Double])] {
            lines.filter { $0.first == kind }.map { ($0[1], $0.dropFirst(2).compactMap { Double($0) }) }
        }
        guard !cases("matching").isEmpty, let sealing = cases("sealing").first else {
            throw Incomplete(description: "\(program) told \(lines.count) lines, and not what it should")
        }
        let bare = try await bareCipher()
        let matching = cases("matching").map {
            Measurement("matching one advertisement, 100 descriptors \($0.name)", .atMost(10), "µs", $0.samples)
        }
        let xWing = cases("xwing").map {
            Measurement(
                "X-Wing, encapsulating and decapsulating, ML-KEM \($0.name)", .atMost(0.3), "ms", $0.samples)
        }
        return matching + [
            Measurement(
                "sealing and opening 256 bytes, against `openssl speed`", .atLeast(0.8), "×",
                sealing.samples.map { $0 / bare })
        ] + xWing
    }

    /// Megabytes a second of AES-256-GCM in pieces of 256 bytes, by OpenSSL's own measure.
    private func bareCipher() async throws -> Double {
        let text = try await output(of: [
            "openssl", "speed", "-mr", "-seconds", "3", "-bytes", "256", "-evp", "aes-256-gcm",
        ])
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("+F:") }),
            let rate = line.split(separator: ":").last.flatMap({ Double($0) })
        else { throw Incomplete(description: "`openssl speed` told no figure, but “\(text.suffix(200))”") }
        return rate / 1e6
    }

    private func output(of command: [String]) async throws -> String {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(command, streams: [.null, .descriptor(write), .inherit])
        write.close()
        var output: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { output += bytes }
        let status = await child.wait()
        guard status.isSuccess else { throw Incomplete(description: "\(command[0]) \(status)") }
        return String(decoding: output, as: UTF8.self)
    }

    struct Incomplete: Error, CustomStringConvertible {
        let description: String
    }
}
