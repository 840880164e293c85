import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import RigModel
import VirtualRig

/// Runs stock boards and their airs.
actor StockBoards {
    private let image: String
    private let agentDisk: String
    private let folder: String
    /// The kernel of native boards; nil for emulated boards.
    private let kernel: NativeKernel?
    private var machines: [String: any StockMachine] = [:]
    private var airs: [String: AirClient] = [:]
    /// The standard input of each air, which ends with it.
    private var lifelines: [Descriptor] = []

    init(image: String, agentDisk: String, folder: String, kernel: NativeKernel?) {
        (self.image, self.agentDisk, self.folder, self.kernel) = (image, agentDisk, folder, kernel)
    }

    /// Starts this many benches, and returns when all their boards can be logged in to.
    func start(_ count: Int) async throws {
        var all: [any StockMachine] = []
        await NativeStockMachine.sweep()
        for bench in 1...count {
            let place = "\(folder)/\(bench)"
            for board in BoardRole.allCases {
                try FileManager.default.createDirectory(
                    atPath: "\(place)/\(board.rawValue)", withIntermediateDirectories: true)
                let machine = try await machine("\(board.rawValue)-\(bench)", all.count, "\(place)/\(board.rawValue)")
                machines[machine.name] = machine
                all.append(machine)
            }
            try startAir(in: place)
        }
        try writeConfiguration(for: all)
        for bench in 1...count {
            let air = try await AirClient.connect(to: "\(folder)/\(bench)/air.sock")
            for board in BoardRole.allCases { airs["\(board.rawValue)-\(bench)"] = air }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for machine in all { group.addTask { [self] in try await bringUp(machine) } }
            try await group.waitForAll()
        }
    }

    private func machine(_ name: String, _ number: Int, _ folder: String) async throws -> any StockMachine {
        guard let kernel else {
            return try EmulatedStockMachine(name, image: image, agentDisk: agentDisk, folder: folder)
        }
        return try await NativeStockMachine(
            name, number: number, kernel: kernel, image: image, agentDisk: agentDisk, folder: folder)
    }

    /// Waits for a machine's radios and its SSH server, and plugs the radios in, as soldered ones are.
    private func bringUp(_ machine: any StockMachine) async throws {
        try await plugIn(machine.name)
        let began = ContinuousClock.now
        while try await machine.login(configuration: "\(folder)/ssh_config") == false {
            guard began.duration(to: .now) < .seconds(300) else {
                throw RigFailure("starting \(machine.name)", "nobody can log in after 300 s")
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func plugIn(_ name: String) async throws {
        guard let air = airs[name], let board = BoardRole(rawValue: String(name.prefix { $0 != "-" })) else { return }
        for radio in AirRadio.allCases {
            try await air.ask(within: .seconds(300)) { .attach(board, radio, $0) }
        }
    }

    /// Carries out an order: `cut NAME` and `mend NAME` of a board's network, `reset NAME` of its power, `unplug NAME` and
    /// `plug NAME` of its Bluetooth adapter, `second NAME` to give a host board a second Wi-Fi radio, and
    /// `single NAME` to take it away.
    func perform(_ words: [String]) async throws {
        guard words.count == 2, let machine = machines[words[1]], let air = airs[words[1]] else {
            throw RigFailure("reading an order", "it is “\(words.joined(separator: " "))”")
        }
        let board: BoardRole = machine.name.hasPrefix("host") ? .host : .accessory
        switch words[0] {
        case "cut": try await machine.setNetwork(false)
        case "mend": try await machine.setNetwork(true)
        case "reset":
            try await machine.reset()
            try await bringUp(machine)
        case "unplug": try await air.ask { .detach(board, .bluetooth, $0) }
        case "plug": try await air.ask { .attach(board, .bluetooth, $0) }
        case "second": try await air.ask { .attach(board, .wifi, adapter: .homeRouter, $0) }
        case "single": try await air.ask { .detach(board, .wifi, adapter: .homeRouter, $0) }
        default: throw RigFailure("reading an order", "“\(words[0])” is not known")
        }
    }

    func stop() async {
        for machine in machines.values { await machine.stop() }
        for lifeline in lifelines { lifeline.close() }
    }

    private func startAir(in place: String) throws {
        let cache = "\(Cache.standard().folder)"
        let names = try FileManager.default.contentsOfDirectory(atPath: cache)
        guard let library = names.filter({ $0.hasPrefix("rootcanal-") && $0.hasSuffix(".so") }).max() else {
            throw RigFailure("starting the air", "there is no RootCanal in \(cache)", remedy: "run `make setup`")
        }
        let pipe = try Descriptor.pipe()
        lifelines.append(pipe.write)
        _ = try ChildProcess.spawn(
            [
                RigPrograms.built().air, "--rig", place, "--library", "\(cache)/\(library)", "--log",
                "\(place)/air.log",
            ],
            streams: [.descriptor(pipe.read), .null, .null], ownGroup: true, atParentDeath: .kill)
    }

    private func writeConfiguration(for machines: [any StockMachine]) throws {
        let key = try String(contentsOfFile: "\(image)/host.pub", encoding: .utf8).split(separator: " ").prefix(2)
        var known = ""
        var text = ""
        for machine in machines {
            text += "Host \(machine.name)\n    HostName \(machine.address)\n    Port \(machine.port)\n"
            let place = machine.port == 22 ? machine.address : "[\(machine.address)]:\(machine.port)"
            known += "\(place) \(key.joined(separator: " "))\n"
        }
        text += """
            Host *
                User pi
                IdentityFile \(image)/key
                IdentitiesOnly yes
                UserKnownHostsFile \(folder)/known_hosts

            """
        try Data(known.utf8).write(to: URL(fileURLWithPath: "\(folder)/known_hosts"))
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/ssh_config"))
    }
}
