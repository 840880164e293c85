import BoardProtocol
import Foundation
import HILRecord
import RadioModel
import RigModel
import StubRig
import Testing

@testable import HIL

/// Calls of a scenario on a rig that has only two agents, or only the phone's.
@MainActor
struct RigLacksTests {
    fileprivate typealias Body = @MainActor @Sendable (Lab) async throws -> Void

    private static let neighbour = AirStation.accessPoint(
        AirAccessPoint(ssid: "Home", bssid: DeviceAddress("02:00:00:00:99:00")!))

    /// All calls that need more than agents.
    nonisolated fileprivate static let calls: [(Capability, Body)] = [
        (.distance, { try await $0.air.setDistance(10) }),
        (.distance, { try await $0.air.separate() }),
        (.distance, { try await $0.air.move(along: [.at(3, after: .seconds(1))]) }),
        (.capture, { _ = try await $0.air.captured(containing: [7]) }),
        (.capture, { _ = try await $0.air.captured(containing: "seven") }),
        (.capture, { _ = try await $0.air.capturedHCI(of: .host) }),
        (.air, { try await $0.air.withFault(.dropped(.data)) {} }),
        (.air, { try await $0.air.withFault(.unplugged(.wifi, of: .host)) {} }),
        (.air, { try await $0.air.when(.data, do: {}, during: {}) }),
        (.air, { try await $0.air.add(neighbour) }),
        (.air, { try await $0.air.remove(neighbour.address) }),
        (.hostStacks, { _ = try await $0.air.attach(.hostStack(command: ["sleep", "60"])) }),
        (.adapters, { try await $0.accessory.powerOn(.lamp(named: "Lamp 8"), adapter: 1) }),
        (.adapters, { try await $0.rig.withFault(.adapterUnplugged(on: .host)) {} }),
        (.homeNetwork, { try await $0.homeNetwork.open() }),
        (.homeRouter, { try await $0.homeNetwork.joinPhone() }),
        (.homeRouter, { try await $0.homeNetwork.setDistance(3, from: .accessory) }),
        (.power, { try await $0.rig.withFault(.powerCut(on: .accessory)) {} }),
        (.accessoryBoard, { try await $0.accessory.powerOn(.lamp(named: "Lamp 7")) }),
        (.accessoryBoard, { try await $0.accessory.run(AccessoryProgram(command: ["true"])) }),
        (
            .accessoryBoard,
            { try await $0.accessory.blackBox(named: "Lamp", hooks: .init(press: .onBoard(["true"]))).press() }
        ),
    ]

    private func lacks(_ test: TestLab) -> [Lack] {
        test.events.compactMap { if case .lacks(let what) = $0 { what } else { nil } }
    }

    @Test(
        "Each call that needs more than agents ends the scenario, and says what is missing, once",
        arguments: RigLacksTests.calls.indices)
    func call(number: Int) async throws {
        let (capability, body) = RigLacksTests.calls[number]
        let test = try TestLab(capability == .accessoryBoard ? StubRigKind.phoneAlone : StubRigKind.twoAgents)
        let scenario = Scenario("Asks for more") { lab in
            try await lab.step("ask") { try await body(lab) }
            lab.expect(false, "this line is reached")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(lacks(test).map(\.capabilities) == [[capability.rawValue]])
        #expect(test.failures.isEmpty, "\(test.failures)")
        #expect(
            !test.events.contains { if case .expectation = $0 { true } else { false } }, "nothing is expected after it")
    }

    @Test("Failures after that do not count, whatever the scenario does; earlier failures do")
    func afterwards() async throws {
        let test = try TestLab(StubRigKind.twoAgents)
        let scenario = Scenario("Goes on") { lab in
            lab.expect(false, "this holds")
            _ = try await lab.expect(throwing: CancellationError.self, "it breaks") { try await lab.air.separate() }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.message) == ["expected that this holds"])
        #expect(lacks(test).count == 1)

        let caught = try TestLab(StubRigKind.twoAgents)
        let catching = Scenario("Catches") { lab in
            try? await lab.rig.withFault(.powerCut(on: .host)) {}
            lab.phone.person.will(.pick("Die 7"))
            lab.expect(false, "the board has no power")
        }
        await catching.run(catching.cases[0], in: caught.lab)
        #expect(caught.failures.isEmpty)
        let reason = "the stub rig lacks a switch for the boards' power (nobody pretends to have a switch)"
        #expect(lacks(caught).map(\.description) == [reason])
    }

    @Test("A rig that does not have what its description says has failed")
    func brokenPromise() async throws {
        let test = try TestLab(RigDescription("stub", has: Set(Capability.allCases)))
        let scenario = Scenario("Asks") { try await $0.rig.withFault(.powerCut(on: .host)) {} }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.kind) == [.rig] && lacks(test).isEmpty)
    }

    @Test("Calls that need only agents work without anything else")
    func agentsAlone() async throws {
        let test = try TestLab(StubRigKind.twoAgents) { command in
            switch command {
            case .fault(.fillDisk(let bytes, let reply)): reply(bytes)
            case .fault(.freeDisk(let reply)): reply(1 << 20)
            default: nil
            }
        }
        let scenario = Scenario("Asks for no more") { lab in
            _ = try await lab.accessory.powerOn(.lamp(named: "Lamp 7"))
            try await lab.rig.withFault(.diskFull(on: .accessory)) { lab.expect(true, "the body runs") }
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        await test.lab.close()
        #expect(test.failures.isEmpty && lacks(test).isEmpty)
    }

    @Test("A description says what is missing, and why if that is known")
    func words() {
        let rig = RigDescription("bench", has: [.bluetooth], reasons: [.power: "it has no switch"])
        #expect(rig.lack(of: [.bluetooth]) == nil)
        let words = "the bench rig lacks Wi-Fi and a switch for the boards' power (it has no switch)"
        #expect(rig.lack(of: [.bluetooth, .wifi, .power])?.description == words)
    }
}
