import HILPhone
import HILTiming

/// The ends of extensions' processes.
extension Lab {
    /// Runs `body` while the process of an extension is to end at a moment, and records whether it has.
    ///
    /// The phone launches the extension again. If its process has ended fewer than `count` times at the end of `body`,
    /// the scenario has failed. `lab.phone.extensions.end(_:because:)` ends a process at once.
    ///
    /// - Parameters:
    ///   - which: The extension.
    ///   - moment: When its process ends.
    ///   - reason: Why it ends, for the story.
    ///   - count: At how many such moments, one after the other.
    /// - Throws: The error of `body`.
    @discardableResult
    public func withEnd<Value>(
        of which: ForwardingExtension, at moment: ExtensionMoment, because reason: ExtensionEnd = .crash,
        firing count: Int = 1, isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, _ body: () async throws -> Value
    ) async throws -> Value {
        let extensions = phone.extensions
        let number = extensions.willEnd(which, at: moment, because: reason, firing: count)
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let fired = extensions.cancelEnd(number)
        expect(
            fired == count,
            "the process of \(which) ends \(moment)\(count == 1 ? "" : ", \(count) times") (it did \(fired) times)",
            fileID: fileID, filePath: filePath, line: line)
        return try result.get()
    }
}
