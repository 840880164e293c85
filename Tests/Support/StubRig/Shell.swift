import HILPOSIX

/// Runs programs of the system for their output.
package enum Shell {
    /// Standard output, and standard error if requested; nil if the program is not installed.
    package static func output(_ arguments: [String], withErrors: Bool = false) async -> String? {
        try? await ProgramOutput(of: arguments, environment: RunnerProcess.environment, withErrors: withErrors).text
    }

    /// The same for a condition of a test, which cannot wait: it blocks a thread of all tests, so the program must be
    /// quick.
    package static func outputAtOnce(_ arguments: [String]) -> String? {
        guard let pipe = try? Descriptor.pipe() else { return nil }
        guard
            let child = try? ChildProcess.spawn(
                arguments, environment: RunnerProcess.environment,
                streams: [.null, .descriptor(pipe.write), .null])
        else { return nil }
        pipe.write.close()
        var output: [UInt8] = []
        while let bytes = try? pipe.read.read(), !bytes.isEmpty { output += bytes }
        withExtendedLifetime(child) {}
        return String(decoding: output, as: UTF8.self)
    }
}
