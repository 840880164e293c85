import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import RigModel
import StubRig
import Testing

@testable import HIL

@MainActor
struct HookTests {
    private let board = ProgramBoard()

    private func lacks(_ test: TestLab) -> [String] {
        test.events.compactMap { if case .lacks(let what) = $0 { what.description } else { nil } }
    }

    @Test("Hooks run on the runner's machine or on the board, with the words of the call")
    func run() async throws {
        let test = try TestLab { [board] call throws(RadioError) in try board.answer(call) }
        let box = test.lab.accessory.blackBox(
            named: "Lamp",
            hooks: AccessoryHooks(
                reset: .onRunner(["sh", "-c", "test $HIL_ACCESSORY = Lamp"]), press: .onBoard(["press"]),
                power: .onBoard(["power"]), version: .onRunner(["echo", "1.2 $HOME"])))
        #expect(box.name == "Lamp")
        try await box.reset()
        try await box.press("side")
        try await box.setPower(false)
        #expect(try await box.version() == "1.2 $HOME")
        let commands = board.asked.withLock { $0 }.compactMap {
            if case .program(.runCommand(let words, _, _, _)) = $0 { words } else { nil }
        }
        #expect(commands == [["press", "side"], ["power", "off"]])
    }

    @Test("A hook that fails or does not end is the rig's fault, and tells what it printed")
    func failures() async throws {
        let test = try TestLab { [board] call throws(RadioError) in try board.answer(call) }
        let box = test.lab.accessory.blackBox(
            named: "Lamp",
            hooks: AccessoryHooks(
                reset: .onRunner(["sh", "-c", "echo begun; echo no >&2; exit 4"]), factoryReset: .onRunner(["no-such"]),
                press: .onBoard(["fails"]), power: .onRunner(["sh", "-c", "sleep 1000"], within: .milliseconds(50))))
        func told(_ body: () async throws -> Void) async -> String {
            do { try await body() } catch let error as RigFailure { return "\(error)" } catch { return "not the rig's" }
            return "done"
        }
        #expect(
            await told { try await box.reset() }
                == "running the hook reset of “Lamp” on the runner's machine: it exited with 4; it printed: begun | no")
        #expect(await told { try await box.factoryReset() }.contains("No such file"))
        #expect(await told { try await box.press() }.contains("on the accessory board: it exited with 3"))
        #expect(await told { try await box.setPower(true) }.contains("it did not end within "))
    }

    @Test("A scenario that uses a hook which is not there is skipped at the call")
    func missing() async throws {
        let test = try TestLab()
        let scenario = Scenario("Presses") { lab in
            try await lab.accessory.blackBox(named: "Lamp").press()
            lab.expect(false, "this line is reached")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(lacks(test) == ["the accessory “Lamp” has no hook `press`"])
        #expect(test.failures.isEmpty)
    }

    @Test("A scenario that declares the hook which it needs is skipped before it starts if no accessory has it")
    func declared() {
        let pressed = AccessoryHooks(press: .onRunner(["true"]))
        let rig = StubRigKind.whole
        func lack(_ traits: ScenarioTrait...) -> String? { ScenarioTraits(traits).lack(on: rig)?.description }
        #expect(lack(.needs(.hook(.press)), .accessory(hooks: pressed)) == nil)
        #expect(lack(.needs(.hook(.press)), .accessory(AccessoryProgram(command: ["x"], hooks: pressed))) == nil)
        let missing = "no accessory that the scenario declares has the hook `press`"
        #expect(lack(.needs(.hook(.press))) == missing)
        #expect(lack(.needs(.hook(.press)), .accessory(AccessoryProgram(command: ["x"]))) == missing)
        #expect(lack(.needs(.power))?.contains("lacks a switch") == true)
        let program = ScenarioTraits([.accessory(AccessoryProgram(command: ["x"]))])
        #expect(program.lack(on: rig) == nil)
        #expect(program.lack(on: StubRigKind.phoneAlone)?.capabilities == [.accessoryBoard])
    }

    @Test("At the end of a scenario the version is recorded and the log kept, also after a failure")
    func last() async throws {
        let logs = NSTemporaryDirectory() + "hil-logs-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: logs) }
        let test = try TestLab(logs: logs) { [board] call throws(RadioError) in try board.answer(call) }
        let scenario = Scenario("Fails") { lab in
            _ = lab.accessory.blackBox(
                named: "La/mp", hooks: AccessoryHooks(version: .onRunner(["echo", "7"]), logs: .onBoard(["logs"])))
            lab.expect(false, "all is well")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        let versions = test.events.compactMap {
            if case .accessoryVersion(let name, let version) = $0 { "\(name) \(version)" } else { nil }
        }
        #expect(versions == ["La/mp 7"])
        #expect(try String(contentsOfFile: "\(logs)/La_mp-logs.log", encoding: .utf8) == "told")
    }
}
