import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// An accessory with hooks: a program on the accessory board, or a black box.
///
/// Every method throws `RigLacks` if the accessory does not have the hook, and the scenario is then skipped. It throws
/// `RigFailure` if the command cannot be started, does not end in time, or does not exit with 0.
public protocol HookedAccessory: Sendable {
    /// Runs the hooks.
    var hooks: HookRunner { get }
}

extension HookedAccessory {
    /// The name in logs, reports and messages.
    public var name: String { hooks.name }

    /// Restarts the accessory by its hook ``AccessoryHooks/Name/reset``.
    public func reset(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await hooks.run(.reset, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Restores the accessory's factory state.
    public func factoryReset(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await hooks.run(.factoryReset, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Presses a button.
    ///
    /// - Parameter button: Which one, for the hook's command; nil for an accessory with a single button.
    public func press(
        _ button: String? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        let words = [button].compactMap { $0 }
        try await hooks.run(.press, words, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Switches the accessory's power.
    public func setPower(
        _ isOn: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        let words = [isOn ? "on" : "off"]
        try await hooks.run(.power, words, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// The version of the firmware, as the hook prints it.
    public func version(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> String {
        try await hooks.run(.version, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// The accessory's log, as the hook prints it.
    public func logs(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws -> String {
        try await hooks.run(.logs, at: SourceLocation(file: fileID, path: filePath, line: line))
    }
}

/// An accessory known to the harness only by its name, and perhaps some hooks: a device on the desk.
public final class BlackBox: HookedAccessory {
    public let hooks: HookRunner

    init(_ hooks: HookRunner) { self.hooks = hooks }
}

/// Runs the hooks of one accessory.
public final class HookRunner: Sendable {
    /// The accessory's name.
    let name: String
    let hooks: AccessoryHooks
    /// The accessory's Bluetooth adapter.
    let adapter: AdapterID
    private let board: BoardClient
    private let package: String
    private let rig: RigConnection
    private let recorder: ScenarioRecorder

    init(
        _ hooks: AccessoryHooks, of name: String, board: BoardClient, adapter: AdapterID = .first,
        on rig: RigConnection,
        package: String, recorder: ScenarioRecorder
    ) {
        self.hooks = hooks
        self.adapter = adapter
        self.name = name
        self.board = board
        self.rig = rig
        self.package = package
        self.recorder = recorder
    }

    /// Runs a hook for a line of the scenario, and returns what it printed.
    @discardableResult
    func run(_ name: AccessoryHooks.Name, _ words: [String] = [], at location: SourceLocation) async throws -> String {
        recorder.noteCommand("the hook \(name.rawValue) of “\(self.name)”") { [adapter, hooks, whose = self.name] in
            _ = try await $0.accessory.hooks(hooks, of: whose, on: adapter).run(name, words, at: location)
        }
        return try await recorder.call(at: location) {
            guard let hook = hooks[name] else {
                let lack = RigLacks("the accessory “\(self.name)” has no hook `\(name.rawValue)`")
                recorder.record(lack: lack)
                throw lack
            }
            if !canRun(hook) { try rig.require(.accessoryBoard, recorder) }
            let began = ContinuousClock.now
            let text = try await output(of: hook, name, words)
            let what = "the hook \(name.rawValue) took \((ContinuousClock.now - began).short)"
            recorder.record(
                .accessory(AccessoryNote(accessory: self.name, adapter: adapter, AccessoryLine(what, kind: "hook"))))
            return text
        }
    }

    /// Whether there is a place to run it: an accessory may be without a board.
    func canRun(_ hook: Hook) -> Bool { hook.place == .runner || rig.description.has(.accessoryBoard) }

    /// What a hook prints.
    ///
    /// - Throws: `RigFailure`.
    func output(of hook: Hook, _ name: AccessoryHooks.Name, _ words: [String] = []) async throws -> String {
        let place = hook.place == .runner ? "the runner's machine" : "the accessory board"
        let action = "running the hook \(name.rawValue) of “\(self.name)”"
        let outcome = try await RigFailure.doing(action, on: place) { try await perform(hook, words) }
        let printed = outcome.text.isEmpty ? "" : "; it printed: \(HookRunner.end(of: outcome.text))"
        guard let exit = outcome.exit else {
            throw RigFailure(action, on: place, "it did not end within \(hook.limit.short)\(printed)")
        }
        guard exit == .code(0) else { throw RigFailure(action, on: place, "it \(exit)\(printed)") }
        return outcome.text
    }

    private func perform(_ hook: Hook, _ words: [String]) async throws -> CommandOutcome {
        let command = hook.command + words
        guard !hook.command.isEmpty else { throw RigFailure("running a hook", "its command is empty") }
        switch hook.place {
        case .runner:
            let variables = ProcessInfo.processInfo.environment.merging([
                "HIL_ACCESSORY": name, "HIL_ADAPTER": "\(adapter)",
            ]) { $1 }
            return try await CommandRun.run(
                command, environment: variables.map { "\($0.key)=\($0.value)" }, in: package, within: hook.limit)
        case .board:
            let limit = Int(hook.limit.seconds * 1000)
            return try await board.ask(within: hook.limit + .seconds(10)) {
                .program(.runCommand(command, milliseconds: limit, on: adapter, $0))
            }
        }
    }

    /// The last lines of a text, as one line.
    static func end(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).suffix(5).map { PlainText.cut(String($0), to: 200) }
            .joined(separator: " | ")
    }
}
