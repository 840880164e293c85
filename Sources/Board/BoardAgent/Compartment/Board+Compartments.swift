import BoardProtocol
import Glibc
import HILBlueZ
import HILPOSIX
import HILTiming
import RadioModel

/// The parts of the board for further adapters with a separate bluetoothd.
extension Board {
    /// How long the kernel may take to show a controller that the air has attached.
    private static let controllerLimit = Duration.seconds(20)

    /// Reserves a compartment for an adapter that is not attached yet: no other process of the board may take the
    /// adapter.
    func prepareCompartment(for adapter: AdapterID) async throws {
        try requireFurther(adapter)
        guard compartments[adapter] == nil else { return }
        guard (try? board(of: adapter)) == nil else {
            throw RadioError.invalid(
                "adapter \(adapter) is already in use: start a program before the accessories of other adapters are "
                    + "switched on")
        }
        prepared.insert(adapter)
        // Existing controllers stay the same; running processes do not see new ones.
        hide(.only(Set(ManagementChannel.controllers).subtracting(compartments.values.map(\.controller))))
    }

    /// Makes the compartment of a prepared adapter, also if it was prepared before the board's restart.
    ///
    /// - Returns: Nil for an adapter that shares the board's bluetoothd.
    func openCompartment(for adapter: AdapterID, at address: DeviceAddress) async throws -> Compartment? {
        if let known = compartments[adapter] { return known }
        guard prepared.contains(adapter) || Compartment.wasMade(for: adapter) else { return nil }
        let controller = try await controller(at: address)
        let hidden = Set(compartments.values.map(\.controller) + [controller])
        daemons.hide(hidden)
        hide(.allBut(hidden))
        await programs.lead(through: CompartmentEntrance(scope: .init(view: .without(hidden))))
        let bluetooth = try accessoryBluetooth()
        if await bluetooth.knows(address) { try await bluetooth.restartAsItIs() }
        let compartment = try await Compartment(
            for: adapter, controller: controller, address: address, in: folder, payloads: programs.payloads,
            journal: journal, lost: { [emit] in emit(.daemonLost(name: $0, how: $1)) }, emit: emit)
        compartments[adapter] = compartment
        try await compartment.startBluetooth()
        prepared.remove(adapter)
        return compartment
    }

    /// The host of the programs of an adapter.
    func host(of adapter: AdapterID) throws(RadioError) -> ProgramHost {
        if adapter == .first { return programs }
        if let compartment = compartments[adapter] { return compartment.programs }
        throw .invalid("adapter \(adapter) of the board has no place for a program: attach it for one")
    }

    /// Sets which controllers the board's processes outside compartments see, except this agent.
    private func hide(_ rule: ControllerRule) {
        let own = Board.namespace(of: "self")
        for process in KernelFile.numbers(in: "/proc")
        where process != getpid() && Board.namespace(of: "\(process)") == own {
            // A process may end meanwhile.
            _ = try? rule.apply(to: process)
        }
    }

    /// The identifier of a process's mounts; empty if it has ended.
    private static func namespace(of process: String) -> String {
        var target = [CChar](repeating: 0, count: 64)
        guard readlink("/proc/\(process)/ns/mnt", &target, target.count - 1) > 0 else { return "" }
        return String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number of the controller with an address, as soon as the kernel has it.
    private func controller(at address: DeviceAddress) async throws -> UInt16 {
        let bluetooth = try accessoryBluetooth()
        return try await withDeadline(Board.controllerLimit, waitingFor: "the kernel to have the adapter \(address)") {
            while true {
                let mark = bluetooth.arrivals.count
                for number in ManagementChannel.controllers {
                    let found = await (try bluetooth.management()).information(of: number)
                    if found?.address == address.description { return number }
                }
                _ = try await bluetooth.arrivals.first(from: mark)
            }
        }
    }
}
