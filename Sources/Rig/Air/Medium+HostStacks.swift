import BoardProtocol
import RadioModel
import RigModel

/// Controllers for host stacks without a board.
extension Medium {
    /// A controller that waits for a host stack or has one.
    struct HostStack: Equatable {
        let address: DeviceAddress
        /// The client that requested it.
        let client: Int
    }

    /// Finds a number and an address for a host stack, and keeps them for it.
    ///
    /// - Parameter wanted: The address; nil for the next free one.
    /// - Throws: ``AirError`` with the reason if none is free.
    mutating func reserveStack(
        at wanted: DeviceAddress?, client: Int
    ) throws(AirError) -> (adapter: AdapterID, address: DeviceAddress) {
        let numbers = AdapterID.hostStacks.map { AdapterID(rawValue: $0) }
        guard let adapter = numbers.first(where: { hostStacks[$0] == nil }) else {
            throw AirError("the air already has all \(numbers.count) host stacks: stop one first")
        }
        let free = numbers.map { AirAddress.of(.bluetooth, on: .accessory, adapter: $0) }.first { owner(of: $0) == nil }
        guard let address = wanted ?? free else { throw AirError("no address is free for a host stack") }
        if let owner = owner(of: address) { throw AirError("\(address) is already the address of \(owner)") }
        hostStacks[adapter] = HostStack(address: address, client: client)
        return (adapter, address)
    }

    /// Keeps the host board's address for the phone's own host stack.
    ///
    /// - Throws: ``AirError`` if the host board's adapter is plugged in, or the phone has its controller already.
    mutating func reservePhone(client: Int) throws(AirError) -> (adapter: AdapterID, address: DeviceAddress) {
        guard hostStacks[.phone] == nil else { throw AirError("the phone has its controller already: detach it first") }
        guard links[AirAdapter.host.link]?.isAttached != true else {
            throw AirError(
                "the host board's Bluetooth adapter is plugged in: pull it out before the phone takes its place")
        }
        let address = AirAddress.of(.bluetooth, on: .host)
        hostStacks[.phone] = HostStack(address: address, client: client)
        return (.phone, address)
    }

    /// The host stack that has a controller; nil if a board has it.
    func hostStack(of adapter: AirAdapter) -> AdapterID? {
        if adapter.isHostStack { return adapter.number }
        return adapter == .host && hostStacks[.phone] != nil ? .phone : nil
    }

    /// The owner of an address, for an error; nil if it is free.
    private func owner(of address: DeviceAddress) -> String? {
        if let stack = hostStacks.first(where: { $0.value.address == address }) { return "host stack \(stack.key)" }
        if AirAddress.ofBoards.contains(address) { return "a board" }
        return stations.contains(address) ? "a station" : nil
    }

    /// The host stacks of a client.
    func stacks(of client: Int) -> [AdapterID] {
        hostStacks.filter { $0.value.client == client }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// Removes a host stack's controller.
    mutating func releaseStack(_ adapter: AdapterID) {
        hostStacks[adapter] = nil
        bluetooth.unplug(AirAdapter(hostStack: adapter))
    }

    /// Handles an event of a host stack's program.
    mutating func take(_ event: HostStackPorts.Event) -> [Action] {
        switch event {
        case .connected(let adapter): return connected(adapter)
        case .packet(let packet, let adapter):
            let adapter = AirAdapter(hostStack: adapter)
            return [.capture(.hci(adapter, sentByHost: true, packet))] + command(packet, on: adapter) + afterFaults()
        case .disconnected(let adapter):
            bluetooth.unplug(AirAdapter(hostStack: adapter))
            return [.tell(.hostStack(adapter, .disconnected))]
        case .cutOff(let adapter, let why):
            bluetooth.unplug(AirAdapter(hostStack: adapter))
            return [.tell(.hostStack(adapter, .cutOff(why: why)))]
        case .refused(let adapter, let why): return [.tell(.hostStack(adapter, .refused(why: why)))]
        }
    }

    /// Gives a host stack a new controller.
    private mutating func connected(_ adapter: AdapterID) -> [Action] {
        guard let stack = hostStacks[adapter] else { return [] }
        do {
            bluetooth.plugIn(try makeController(stack.address), on: AirAdapter(hostStack: adapter))
            return [.tell(.hostStack(adapter, .connected))]
        } catch { return [.tell(.hostStack(adapter, .refused(why: "no controller can be made: \(error)")))] }
    }
}
