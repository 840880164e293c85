import PlainText
import RigModel
import Timing

extension Lab {
    /// Records whether something holds. What does not is a failure, and the scenario goes on.
    ///
    /// - Parameter text: What should hold, as a sentence: `the lamp is on`.
    /// - Returns: Whether it holds.
    @discardableResult
    public nonisolated func expect(
        _ condition: Bool, _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> Bool {
        expect(condition, text, .fact, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Records whether two values are equal; a failure tells both.
    @discardableResult
    public nonisolated func expect<Value: Equatable>(
        _ value: Value, equals expected: Value, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) -> Bool {
        let holds = value == expected
        let told = holds ? text : "\(text): got \(plain(value)), not \(plain(expected))"
        return expect(holds, told, fileID: fileID, filePath: filePath, line: line)
    }

    /// Gives a value that must be there for the scenario to go on. Where it is missing, that is a failure at this line, and the
    /// scenario ends.
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

    /// Records whether something holds that must hold for the scenario to go on. Where it does not, that is a failure at this line,
    /// and the scenario ends.
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

    /// Records whether something took at most so long. A machine that was too busy excuses what took longer.
    @discardableResult
    public nonisolated func expect(
        _ duration: Duration, atMost limit: Duration, _ text: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) -> Bool {
        let holds = duration <= limit
        let told = holds ? text : "\(text): it took \(duration.short), not at most \(limit.short)"
        return expect(holds, told, .time, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    nonisolated func expect(
        _ condition: Bool, _ text: String, _ basis: Failure.Basis, at location: SourceLocation
    ) -> Bool {
        recorder.noteCall(at: location)
        recorder.record(.expectation(text: text, held: condition, at: location))
        if !condition {
            recorder.record(.failure(Failure(.product, "expected that \(text)", at: location, basis: basis)))
        }
        return condition
    }

    /// Records whether `body` throws an error of a type that `matches`.
    ///
    /// - Returns: The error, if it was one of that type.
    /// - Throws: A failure of the rig only, or what the rig lacks.
    @discardableResult
    public func expect<Expected: Error>(
        throwing type: Expected.Type, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, where matches: (Expected) -> Bool = { _ in true },
        from body: @MainActor () async throws -> Void
    ) async throws -> Expected? {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        do {
            try await body()
            _ = expect(false, "\(text): nothing was thrown", .fact, at: location)
            return nil
        } catch let error where error is RigLacks || Failure.Kind(of: error) == .rig {
            throw error
        } catch {
            let expected = error as? Expected
            let holds = expected.map(matches) ?? false
            _ = expect(holds, holds ? text : "\(text): got \(cut("\(error)"))", Failure.Basis(of: error), at: location)
            return expected
        }
    }

    /// Without the `Optional(…)` that nobody wants to read.
    private nonisolated func plain<Value>(_ value: Value) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return cut("\(value)") }
        return mirror.children.first.map { cut("\($0.value)") } ?? "nothing"
    }

    /// Both values of a comparison are to be seen, however long they are.
    private nonisolated func cut(_ value: String) -> String { PlainText.cut(value, to: PlainText.longestValue) }

    /// Says something in the scenario's log.
    public nonisolated func note(_ text: String) { recorder.record(.note(text: text)) }
}

/// What a scenario cannot go on without is missing. It is recorded where it happens.
public struct RequirementNotMet: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was required, as a sentence.
    public let text: String

    public var description: String { "required that \(text)" }
}
