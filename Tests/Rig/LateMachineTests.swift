import Foundation
import HILExecution
import HILPOSIX
import StubRig
import Testing

private let isWanted = ProcessInfo.processInfo.environment["HIL_LATE"] != nil

/// A machine that is late in a way of its own while scenarios run on it.
private enum LateMachine: String, CaseIterable, CustomTestStringConvertible {
    /// All of the run stands still for 12 s.
    case frozen
    /// All of the run has 0.6 of a processor.
    case quota
    /// Ten programs want all processors all the time.
    case loops
    /// The air alone stands still for 12 s, three times.
    case stoppedAir

    var testDescription: String { rawValue }
}

extension RealRigTests {
    /// What a late machine does is never a failure of the product. Only with `HIL_LATE`: it takes minutes.
    @Suite(
        .serialized, .enabled(if: isWanted, "HIL_LATE is not set"),
        .enabled(if: ControlGroup.canBeMade, "control groups can be made by root alone"))
    struct LateMachineTests {
        /// Short ones of every kind: pairing, Wi-Fi, notifications, faults, programs.
        private static let scenarios = [
            "dieIsPairedAndRolls", "newDieIsOnboarded", "wifi", "personCancels", "linkLoss", "notification",
        ]
        private static let count = 17

        @Test(
            "On a late machine no scenario has failed, and at most a quarter end without a verdict",
            arguments: LateMachine.allCases, RealRig.boards)
        private func late(machine: LateMachine, boards: String) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let names = try await Self.names()
            let jobs = boards == "native" ? "3" : "2"
            let group = try ControlGroup()
            defer { group.remove() }
            if machine == .quota { try group.limit(toProcessors: 0.6) }
            let loops = try (0..<(machine == .loops ? 10 : 0)).map { _ in
                try ChildProcess.spawn(["sh", "-c", "while :; do :; done"], atParentDeath: .kill)
            }
            defer { for loop in loops { loop.signal(SIGKILL) } }
            let runner = try RunnerProcess(
                "hil", ["run", "--jobs", jobs, "--boards", boards, "--format", "json", "--out", results] + names)
            try group.add(runner.process.pid)
            _ = try await runner.lines.first(within: .seconds(120), waitingFor: "the first scenario") {
                if case .scenarioBegan? = $0.runner { true } else { false }
            }
            try await disturb(runner, machine, group)
            let (_, record) = await runner.end()
            let verdicts = record.entries.map { ($0.info.identifier, $0.result?.judgement) }
            let failed = verdicts.filter { $0.1?.verdict == .failed }
            let unknown = verdicts.count { $0.1 == nil || $0.1?.verdict == .error }
            let again = record.entries.count { ($0.result?.attempts?.count ?? 1) > 1 }
            print(
                "\(machine.rawValue), \(boards): \(names.count) cases, \(again) ran again, \(unknown) without a verdict"
            )
            #expect(failed.isEmpty, "\(failed)")
            #expect(unknown * 4 <= names.count, "\(verdicts.filter { $0.1?.verdict == .error })")
        }

        /// The first scenarios of the list that the patterns name.
        private static func names() async throws -> [String] {
            let list =
                await Shell.output([RunnerProcess.path(of: "hil"), "list", "--format", "json"] + scenarios) ?? ""
            let names = list.split(separator: "\n").compactMap { line -> String? in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["identifier"] as? String
            }
            try #require(names.count >= count, "\(list.prefix(300))")
            return Array(names.prefix(count))
        }

        private func disturb(_ runner: RunnerProcess, _ machine: LateMachine, _ group: ControlGroup) async throws {
            switch machine {
            case .frozen:
                try await Task.sleep(for: .seconds(1))
                try group.freeze(true)
                try await Task.sleep(for: .seconds(12))
                try group.freeze(false)
            case .quota, .loops: break
            case .stoppedAir:
                for _ in 0..<3 {
                    let airs = runner.family().filter { $0.command.hasPrefix("/") && $0.command.contains("hil-air") }
                    for air in airs { kill(air.identifier, SIGSTOP) }
                    try await Task.sleep(for: .seconds(12))
                    for air in airs { kill(air.identifier, SIGCONT) }
                    try await Task.sleep(for: .seconds(2))
                }
            }
        }
    }
}
