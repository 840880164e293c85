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
    private var machines: [String: StockMachine] = [:]
    private var airs: [String: AirClient] = [:]
    /// The standard input of each air, which ends with it.
    private var lifelines: [Descriptor] = []

    init(image: String, agentDisk: String, folder: String) {
        (self.image, self.agentDisk, self.folder) = (image, agentDisk, folder)
    }

    /// Starts this many benches, and returns when all their boards can be logged in to.
    func start(_ count: Int) async throws {
        var all: [StockMachine] = []
        for bench in 1...count {
            let place = "\(folder)/\(bench)"
            for board in BoardRole.allCases {
                try FileManager.default.createDirectory(
                    atPath: "\(place)/\(board.rawValue)", withIntermediateDirectories: true)
                let machine = try StockMachine(
                    "\(board.rawValue)-\(bench)", image: image, agentDisk: agentDisk,
                    folder: "\(place)/\(board.rawValue)")
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

    /// Waits for a machine's radios and its SSH server, and plugs the radios in, as soldered ones are.
    private func bringUp(_ machine: StockMachine) async throws {
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
        for radio in AirRadio.allCases { try await air.attach(radio, of: board, within: .seconds(300)) }
    }

    /// Carries out an order: `cut NAME` and `mend NAME` of a board's network, `reset NAME` of its power, `unplug NAME` and
    /// `plug NAME` of its Bluetooth adapter.
    func perform(_ words: [String]) async throws {
        guard words.count == 2, let machine = machines[words[1]], let air = airs[words[1]] else {
            throw RigFailure("reading an order", "it is “\(words.joined(separator: " "))”")
        }
        let board: BoardRole = machine.name.hasPrefix("host") ? .host : .accessory
        switch words[0] {
        case "cut": try machine.command("set_link", #"{"name":"net","up":false}"#)
        case "mend": try machine.command("set_link", #"{"name":"net","up":true}"#)
        case "reset":
            try machine.command("system_reset", "{}")
            try await bringUp(machine)
        case "unplug": try await air.detach(.bluetooth, of: board)
        case "plug": try await air.attach(.bluetooth, of: board)
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

    private func writeConfiguration(for machines: [StockMachine]) throws {
        let key = try String(contentsOfFile: "\(image)/host.pub", encoding: .utf8).split(separator: " ").prefix(2)
        var known = ""
        var text = ""
        for machine in machines {
            text += "Host \(machine.name)\n    Port \(machine.port)\n"
            known += "[127.0.0.1]:\(machine.port) \(key.joined(separator: " "))\n"
        }
        text += """
            Host *
                HostName 127.0.0.1
                User pi
                IdentityFile \(image)/key
                IdentitiesOnly yes
                UserKnownHostsFile \(folder)/known_hosts

            """
        try Data(known.utf8).write(to: URL(fileURLWithPath: "\(folder)/known_hosts"))
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/ssh_config"))
    }
}
