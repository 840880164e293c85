import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

extension Lab {
    /// Records whether a condition holds. If it does not, that is a failure, and the scenario continues.
    ///
    /// - Parameter text: The condition, as a sentence: `the lamp is on`.
    /// - Returns: Whether it holds.
    @discardableResult
    public nonisolated func expect(
        _ condition: Bool, _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> Bool {
        expect(condition, text, .seen, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Records whether two values are equal. A failure shows both values.
    ///
    /// Two unequal texts or byte strings count on any machine: what comes late is not another text. Other unequal values
    /// count as soon as they are also seen on a machine that is not late.
    ///
    /// - Parameter text: What should hold, as a sentence: `the lamp reports its version`.
    /// - Returns: Whether they are equal.
    @discardableResult
    public nonisolated func expect<Value: Equatable>(
        _ value: Value, equals expected: Value, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) -> Bool {
        let holds = value == expected
        let told = holds ? text : "\(text): got \(plain(value)), not \(plain(expected))"
        let isText = isContent(value) && isContent(expected)
        return expect(
            holds, told, isText ? .certain : .seen, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Whether a value is a text or bytes, and not empty.
    private nonisolated func isContent<Value>(_ value: Value) -> Bool {
        switch value {
        case let text as String: !text.isEmpty
        case let bytes as Data: !bytes.isEmpty
        case let bytes as [UInt8]: !bytes.isEmpty
        default: false
        }
    }

    /// Records whether a text contains another, letter by letter. A failure shows both.
    ///
    /// - Parameter text: What should hold, as a sentence: `the lamp reports its network`.
    /// - Returns: Whether it does. A text that is nil contains nothing.
    @discardableResult
    public nonisolated func expect(
        _ value: String?, contains part: String, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) -> Bool {
        let holds = value?.contains(part) == true
        let told = holds ? text : "\(text): got \(plain(value)), which does not contain \(plain(part))"
        return expect(holds, told, fileID: fileID, filePath: filePath, line: line)
    }

    /// Unwraps a value that the scenario needs. If it is nil, that is a failure at this line, and the scenario ends.
    ///
    /// - Parameter text: What must hold, as a sentence: `the accessory has a Bluetooth identifier`.
    /// - Throws: ``RequirementNotMet``, which is recorded already: catching it changes nothing.
    public nonisolated func require<Value>(
        _ value: Value?, _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) throws -> Value {
        expect(value != nil, text, fileID: fileID, filePath: filePath, line: line)
        guard let value else { throw RequirementNotMet(text: text) }
        return value
    }

    /// Records whether a condition holds that the scenario needs. If not, that is a failure at this line, and the
    /// scenario ends.
    ///
    /// - Parameter text: What must hold, as a sentence: `the phone is on the network`.
    /// - Throws: ``RequirementNotMet``, which is recorded already: catching it changes nothing.
    public nonisolated func require(
        _ condition: Bool, _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) throws {
        guard expect(condition, text, fileID: fileID, filePath: filePath, line: line) else {
            throw RequirementNotMet(text: text)
        }
    }

    /// Records whether something took at most `limit`.
    ///
    /// If it took longer on a machine that was late, the scenario runs again, alone.
    ///
    /// - Parameter text: What should hold, as a sentence: `the link is back in time`.
    /// - Returns: Whether it took at most `limit`.
    @discardableResult
    public nonisolated func expect(
        _ duration: Duration, atMost limit: Duration, _ text: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) -> Bool {
        let holds = duration <= limit
        let told = holds ? text : "\(text): it took \(duration.short), not at most \(limit.short)"
        return expect(holds, told, .seen, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    nonisolated func expect(
        _ condition: Bool, _ text: String, _ basis: Failure.Basis, at location: SourceLocation
    ) -> Bool {
        recorder.recordCallSite(at: location)
        recorder.record(.expectation(text: text, held: condition, at: location))
        if !condition {
            recorder.record(.failure(Failure(.product, "expected that \(text)", at: location, basis: basis)))
        }
        return condition
    }

    /// Records whether `body` throws an error of this type for which `matches` is true.
    ///
    /// - Returns: The error, if it is of this type; else nil.
    /// - Throws: Only a failure of the rig, or `RigLacks`.
    @discardableResult
    public func expect<Expected: Error>(
        throwing type: Expected.Type, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, where matches: (Expected) -> Bool = { _ in true },
        from body: @MainActor () async throws -> Void
    ) async throws -> Expected? {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        do {
            try await body()
            _ = expect(false, "\(text): nothing was thrown", .seen, at: location)
            return nil
        } catch let error where error is RigLacks || Failure.Kind(of: error) == .rig {
            throw error
        } catch {
            let expected = error as? Expected
            let holds = expected.map(matches) ?? false
            _ = expect(holds, holds ? text : "\(text): got \(cut("\(error)"))", .seen, at: location)
            return expected
        }
    }

    /// The value as text, without `Optional(…)` around it.
    private nonisolated func plain<Value>(_ value: Value) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return cut("\(value)") }
        return mirror.children.first.map { cut("\($0.value)") } ?? "nothing"
    }

    /// The value, shortened so that both values of a comparison fit into a message.
    private nonisolated func cut(_ value: String) -> String { PlainText.cut(value, to: PlainText.longestValue) }

    /// Adds a line to the scenario's log.
    public nonisolated func note(_ text: String) { recorder.record(.note(text: text)) }
}

/// A scenario ended because something that it requires is missing. The failure is recorded already.
public struct RequirementNotMet: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was required, as a sentence.
    package let text: String

    public var description: String { "required that \(text)" }
}
