import Foundation
import HILPOSIX

/// Measures matching and cryptography, which need no rig, with a separate optimised program.
///
/// Some measurements are compared with OpenSSL's own benchmark. They alternate with it, and the best runs are compared,
/// because other work on the machine can only slow a run down, and rarely slows both equally.
struct CoreBenchmark {
    /// The program `hil-core-bench`, built for release.
    let program: String
    /// How often the comparison with OpenSSL is repeated.
    private static let pairs = 12

    func measurements() async throws -> [Measurement] {
        let sorting = try await cases("sorting").map {
            Measurement("sorting \($0.name), to compare by", .none, "ms", $0.samples)
        }
        let matching = try await cases("matching").map {
            Measurement("matching one advertisement, 100 descriptors \($0.name)", .atMost(10), "µs", $0.samples)
        }
        return try await sorting + matching + [sealing()] + xWing()
    }

    private func sealing() async throws -> Measurement {
        var (best, bestBare) = (0.0, 0.0)
        for _ in 0..<Self.pairs {
            bestBare = max(bestBare, try await bareCipher())
            for one in try await cases("sealing") { best = max(best, median(one.samples)) }
        }
        return Measurement(
            "sealing and opening 256 bytes, best run against that of `openssl speed`", .atLeast(0.8), "×",
            [best / bestBare])
    }

    private func xWing() async throws -> [Measurement] {
        let own = try await cases("xwing").filter { $0.name == "own" }.map {
            Measurement("X-Wing, encapsulating and decapsulating, ML-KEM own", .atMost(0.3), "ms", $0.samples)
        }
        var (best, bestBare) = (Double.infinity, Double.infinity)
        for _ in 0..<Self.pairs {
            guard let openSSL = try await cases("xwing").first(where: { $0.name == "openSSL" }) else { return own }
            best = min(best, median(openSSL.samples))
            bestBare = min(bestBare, try await bareHybrid())
        }
        return own + [
            Measurement(
                "X-Wing, ML-KEM of OpenSSL, best run against that of `openssl speed X25519MLKEM768`", .atMost(1.3), "×",
                [best / bestBare])
        ]
    }

    /// The speed of AES-256-GCM with blocks of 256 bytes, in megabytes per second, by OpenSSL's own benchmark.
    private func bareCipher() async throws -> Double {
        let rates = try await speeds(["-bytes", "256", "-evp", "aes-256-gcm"], line: "+F:")
        guard let rate = rates.last else { throw Incomplete(description: "`openssl speed` printed no rate") }
        return rate / 1e6
    }

    /// The milliseconds for one encapsulation and one decapsulation of X25519MLKEM768, by OpenSSL's own benchmark.
    ///
    /// This hybrid of TLS has the same two parts as X-Wing.
    private func bareHybrid() async throws -> Double {
        let rates = try await speeds(["X25519MLKEM768"], line: "+F9:").suffix(2)
        guard rates.count == 2, rates.allSatisfy({ $0 > 0 }) else {
            throw Incomplete(description: "`openssl speed X25519MLKEM768` printed no rates")
        }
        return rates.reduce(0) { $0 + 1000 / $1 }
    }

    /// The numbers in the last line of `openssl speed -mr` that begins with `prefix`.
    private func speeds(_ arguments: [String], line prefix: String) async throws -> [Double] {
        let text = try await output(of: ["openssl", "speed", "-mr", "-seconds", "1"] + arguments)
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(prefix) }) else {
            throw Incomplete(description: "`openssl speed` printed no figure, but “\(text.suffix(200))”")
        }
        return line.split(separator: ":").compactMap { Double($0) }
    }

    private func cases(_ kind: String) async throws -> [(name: String, samples: [Double])] {
        let cases = try await output(of: [program, kind]).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t")
            return (String(fields[0]), fields.dropFirst().compactMap { Double($0) })
        }
        guard !cases.isEmpty else { throw Incomplete(description: "\(program) \(kind) printed nothing") }
        return cases
    }

    private func output(of command: [String]) async throws -> String {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(command, streams: [.null, .descriptor(write), .null])
        write.close()
        var output: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { output += bytes }
        let status = await child.wait()
        guard status.isSuccess else {
            throw Incomplete(description: "\(command.joined(separator: " ")) \(status); run it by hand to see why")
        }
        return String(decoding: output, as: UTF8.self)
    }

    struct Incomplete: Error, CustomStringConvertible {
        let description: String
    }
}
