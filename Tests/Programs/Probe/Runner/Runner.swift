import Dispatch
import Foundation
import FoundationNetworking
import HIL
import HILExecution
import HILPOSIX
import HILPhone
import HILRecord
import HILReports
import StubRig

/// A runner with real processes on stub rigs, for tests that kill and interrupt, and of what it leaves.
enum RunnerProbe {
    static func work(_ arguments: [String]) async -> Never {
        await Worker.run(arguments, of: scenarios, connectors: [StubConnector()])
    }

    /// - Parameter arguments: The folder of the results, and the scenarios.
    static func run(_ arguments: [String]) async throws -> Never {
        let interruption = Interruption()
        interruption.takeSignals()
        signal(SIGPIPE, SIG_IGN)
        let folder = try RunFolder.create(in: arguments[0])
        let reports = try ReportWriter(folder.path, root: arguments[0], format: .json, isTerminal: false) { text in
            FileHandle.standardOutput.write(Data(text.utf8))
        }
        let observed = ObservedRun([reports])
        let chosen = try Plan(scenarios).all.filter { arguments.contains($0.identifier) }
        // With `RIG=two-agents` in the environment, rigs have only two agents.
        let isBare = ProcessInfo.processInfo.environment["RIG"] == "two-agents"
        let run = Run(
            Agenda(chosen, RunOptions()),
            rigs: StubRigs(isBare ? StubRigKind.twoAgents : StubRigKind.whole), workers: WorkerProcesses(),
            folder: folder, interruption: interruption, sink: observed.take
        )
        try await run.perform(version: "probe")
        exit(observed.record.exitCode)
    }

    private static let scenarios = [
        NamedScenario("passes", file: "Passes.swift", passes), NamedScenario("traps", file: "Traps.swift", traps),
        NamedScenario("breaksARule", file: "BreaksARule.swift", breaksARule),
        NamedScenario("breaksTheRule", file: "BreaksTheRule.swift", breaksTheRule),
        NamedScenario("hangs", file: "Hangs.swift", hangs), NamedScenario("spins", file: "Spins.swift", spins),
        NamedScenario("waits", file: "Waits.swift", waits), NamedScenario("spinsOn", file: "SpinsOn.swift", spinsOn),
        NamedScenario("showsAndSpins", file: "ShowsAndSpins.swift", showsAndSpins),
        NamedScenario("writesToNobody", file: "WritesToNobody.swift", writesToNobody),
        NamedScenario("expects", file: "Expects.swift", Scenario("It expects") { $0.expect(true, "one is one") }),
        NamedScenario("keepsDefaults", file: "KeepsDefaults.swift", keepsDefaults),
        NamedScenario("comparesMegabytes", file: "ComparesMegabytes.swift", comparesMegabytes),
        NamedScenario("usesMainQueue", file: "MainThreadScenarios.swift", usesMainQueue),
        NamedScenario("usesMainRunLoop", file: "MainThreadScenarios.swift", usesMainRunLoop),
        NamedScenario("runsTheLoopItself", file: "MainThreadScenarios.swift", runsTheLoopItself),
        NamedScenario("walksAway", file: "WalksAway.swift", walksAway),
        NamedScenario("walksAwayUnseen", file: "WalksAwayUnseen.swift", walksAwayUnseen),
        NamedScenario("failsAndWalksAway", file: "FailsAndWalksAway.swift", failsAndWalksAway),
        NamedScenario("walksAwayAndHangs", file: "WalksAwayAndHangs.swift", walksAwayAndHangs),
        NamedScenario("walksAwayAndTraps", file: "WalksAwayAndTraps.swift", walksAwayAndTraps),
    ]

    private static let passes = Scenario("It passes") { lab in
        _ = try await lab.step("switch on") { try await lab.accessory.powerOn(.lamp(named: "Lamp 7")) }
    }

    private static let traps = Scenario("It traps") { lab in
        let numbers = [1, 2, 3].filter { $0 > lab.failures.count + 5 }
        lab.expect(numbers[lab.failures.count] == 1, "unreachable")
    }

    private static let breaksARule = Scenario("It breaks a rule") { _ in AppCrash.crash("P1", "no such key") }

    private static let breaksTheRule = Scenario("It breaks the rule", .crashes(because: "no such key")) { _ in
        AppCrash.crash("P1", "no such key")
    }

    private static let writesToNobody = Scenario("A board goes away while it is written to") { _ in
        let (end, board) = try UnixSocket.pair()
        board.close()
        try end.write([1])
    }

    private static let hangs = Scenario("It hangs", .budget(.milliseconds(300))) { lab in
        try await lab.step("wait for ever") { try await Task.sleep(for: .seconds(3600)) }
    }

    /// The main thread is always busy, so only another thread can report the current step.
    private static let spins = Scenario("It spins", .budget(.milliseconds(300))) { lab in
        try await lab.step("spin") { spin(in: lab) }
    }

    /// It calls nothing: a backtrace from the first instruction of a function leaves its caller out.
    @inline(never)
    private static func spin(in lab: Lab) {
        var turns: UInt8 = 0
        while turns >= 0 { turns &+= 1 }
    }

    private static let waits = Scenario("It waits") { lab in
        try await lab.step("wait") { try await Task.sleep(for: .seconds(3600)) }
    }

    private static let spinsOn = Scenario("It spins on") { lab in
        try await lab.step("spin") { while lab.failures.isEmpty {} }
    }

    /// The phone shows a screen and a warning, and then the worker must be killed.
    private static let showsAndSpins = Scenario("It shows and spins", .budget(.milliseconds(500))) { lab in
        let prompt = Screen(.passkey, title: "Bluetooth Pairing Request", lines: ["Compare “012345”."])
        let token = lab.phone.display.present(prompt) { _ in }
        lab.phone.display.update(token, to: Screen(.discoveryTimeout, title: "No Accessory Found"))
        for _ in 0..<2 { lab.phone.record(.warning(rule: "P5", "d1ce is not in upper case: write it so")) }
        try await lab.step("shown") { try await Task.sleep(for: .milliseconds(50)) }
        try await lab.step("spin") { while lab.failures.isEmpty {} }
    }

    /// An app that stores what it knows, in its own defaults and in those of its group.
    private static let keepsDefaults = Scenario("It keeps user defaults, and sees no other run's") { lab in
        _ = try await lab.phone.launch(KeepingApp.self)
        let group = UserDefaults(suiteName: "group.hil.probe")
        for defaults in [UserDefaults.standard, group].compactMap(\.self) {
            lab.expect(defaults.string(forKey: "lamp"), equals: nil, "there is nothing yet")
            defaults.set("Lamp 7", forKey: "lamp")
            lab.expect(defaults.synchronize(), "it is stored")
        }
        let cookie = HTTPCookie(properties: [.name: "a", .value: "b", .domain: "lamp.example", .path: "/"])
        if let cookie { HTTPCookieStorage.shared.setCookie(cookie) }
        let seen = await Shell.output(["sh", "-c", "printf %s \"$XDG_CONFIG_HOME\""])
        let users = ProcessInfo.processInfo.environment["HIL_PROBE_CONFIG"]
        lab.expect(HTTPCookieStorage.shared.cookies?.count, equals: 1, "it keeps a cookie")
        lab.expect(seen, equals: users, "a program that it starts has the user's folder")
    }

    private final class KeepingApp: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.keeper",
            folder: "\(#filePath.components(separatedBy: "/Tests/Programs/")[0])/Fixtures/GadgetApp")
        init() {}
    }

    private static let comparesMegabytes = Scenario("It compares megabytes") { lab in
        let value = String(repeating: "a", count: 1 << 20)
        lab.note(value)
        lab.phone.record(.note("app", value))
        lab.expect(value, equals: value + "a", "they are equal")
    }

    private static let walksAway = Scenario("It walks away") { lab in
        try await lab.step("walk away") { try await lab.air.setDistance(10) }
        lab.expect(true, "it is away")
    }

    private static let walksAwayUnseen = Scenario("It walks away and catches what is thrown") { lab in
        try? await lab.air.setDistance(10)
        lab.expect(false, "it is away")
    }

    private static let failsAndWalksAway = Scenario("It fails and walks away") { lab in
        lab.expect(false, "all is well")
        try await lab.air.setDistance(10)
    }

    private static let walksAwayAndHangs = Scenario("It walks away and hangs", .budget(.milliseconds(300))) { lab in
        try? await lab.air.setDistance(10)
        try? await Task.sleep(for: .seconds(3600))
    }

    private static let walksAwayAndTraps = Scenario("It walks away and traps") { lab in
        try? await lab.air.setDistance(10)
        fatalError("this is not counted")
    }

}
