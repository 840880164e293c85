import POSIX

/// Times the matching of an advertisement against 100 descriptors, in an optimised program of its own.
struct MatchingBenchmark {
    /// The program `hil-phone-bench`, built for release.
    let program: String

    /// A figure for each of its cases, in microseconds.
    func measurements() async throws -> [Measurement] {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn([program], streams: [.null, .descriptor(write), .inherit])
        write.close()
        var output: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { output += bytes }
        let status = await child.wait()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        guard status.isSuccess, !lines.isEmpty else {
            throw Incomplete(description: "\(program) \(status) after \(lines.count) lines")
        }
        return lines.map { line in
            let fields = line.split(separator: "\t")
            return Measurement(
                "matching one advertisement, 100 descriptors \(fields[0])", .atMost(10), "µs",
                fields.dropFirst().compactMap { Double($0) })
        }
    }

    struct Incomplete: Error, CustomStringConvertible {
        let description: String
    }
}
