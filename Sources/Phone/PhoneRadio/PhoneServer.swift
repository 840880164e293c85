import Foundation
import HILBluetoothHost
import HostRadio
import PeripheralModel
import RadioModel
import Synchronization

/// The phone as a server: what its apps and the system publish, on the host stack.
final class PhoneServer: Sendable {
    /// The most requests that may wait for an app. A device has one at a time.
    private static let requestLimit = 64
    /// The longest packet in bytes that a published channel takes.
    private static let channelMTU: UInt16 = 1024

    /// A request of a device that waits for the app.
    private struct Waiting {
        let device: DeviceAddress
        /// Nil for a write without response: nobody waits for its answer.
        let token: AttributeServer.RequestToken?
        /// The offset of a read; nil for a write.
        let offset: Int?
        /// The value that is written now, and those that follow in the same request.
        var writes: [AttributeWrite]
    }

    private struct Channel {
        let device: DeviceAddress
        let channel: LocalChannel
    }

    private struct State {
        var table = PublishedTable()
        var waiting: [Int: Waiting] = [:]
        /// The latest writes without response, which an app may answer in vain.
        var commands: [Int] = []
        var lastNumber = 0
        /// By the handle of the value.
        var subscribers: [UInt16: Set<DeviceAddress>] = [:]
        var listeners: [UInt16: L2CAPLink.Listener] = [:]
        var channels: [Int: Channel] = [:]
    }

    let events: AsyncStream<PeripheralEvent>
    private let continuation: AsyncStream<PeripheralEvent>.Continuation
    private let driver: StackDriver
    private let state = Mutex(State())

    init(_ driver: StackDriver) {
        self.driver = driver
        (events, continuation) = AsyncStream<PeripheralEvent>.makeStream()
    }

    deinit { continuation.finish() }

    func perform(_ command: PeripheralRadioCommand) async throws {
        try await requirePower()
        switch command {
        case .advertise(let content):
            let shown = content.map { AdvertisingContent(name: $0.name, services: $0.serviceUUIDs) }
            await driver.act { $0.advertise(shown, at: $1) }
        case .replaceServices(let services): try await replace(services)
        case .notify(let value, let place, let device): try await notify(Array(value), at: place, to: device)
        case .answer(let number, let answer): try await self.answer(number, answer)
        case .setName(let name):
            await driver.act { stack, _ in
                stack.setName(name.isEmpty ? "iPhone" : name)
                return []
            }
        case .stopListening(let port):
            let listeners = state.withLock { state in
                state.listeners[port] = nil
                return state.listeners
            }
            await listen(listeners)
        case .sendOnChannel(let number, let packet): try await send(Array(packet), on: number)
        case .closeChannel(let number):
            guard let channel = state.withLock({ $0.channels.removeValue(forKey: number) }) else { break }
            await driver.act { $0.close(channel.channel, of: channel.device, at: $1) }
        }
    }

    private func requirePower() async throws {
        guard await driver.ask({ $0.isPowered }) else { throw RadioError.bluetoothOff }
    }

    /// Takes an event of the stack that is about what the phone publishes, or about a link.
    ///
    /// - Returns: Whether nobody else is concerned.
    func take(_ event: StackEvent) async -> Bool {
        switch event {
        case .connected(let device, _): tell(.connected(device))
        case .disconnected(let device, _, _): forget(device)
        case .identified(let device, let identity): rename(device, identity)
        case .paired(let device, let bond, isBonded: true): tell(.bonded(device, bond))
        case .asked(let device, let token, let request):
            await take(request, token, of: device)
            return true
        case .subscribed(let device, let handle, let isOn): subscribe(device, handle, isOn)
        case .confirmed(_, let handle):
            if let place = state.withLock({ $0.table.place(of: handle) }) { tell(.confirmed(place)) }
        case .written(let device, let handle, let value): await written(value, handle, by: device)
        case .channelOpened(let device, let channel, let psm, let mtu):
            let number = state.withLock { state in
                state.lastNumber += 1
                state.channels[state.lastNumber] = Channel(device: device, channel: channel)
                return state.lastNumber
            }
            tell(.channelOpened(number, port: psm, mtu: Int(mtu)))
        case .channelData(let device, let channel, let packet):
            guard let number = number(of: channel, device) else { return false }
            tell(.received(Data(packet), channel: number))
            await driver.act { $0.consumed(on: channel, of: device, at: $1) }
            return true
        case .channelClosed(let device, let channel, _):
            guard let number = number(of: channel, device) else { return false }
            state.withLock { $0.channels[number] = nil }
            tell(.channelClosed(number))
            return true
        default: break
        }
        return false
    }

    private func tell(_ event: PeripheralEvent) { continuation.yield(event) }

    // MARK: Links

    private func forget(_ device: DeviceAddress) {
        let (closed, places) = state.withLock { state in
            state.waiting = state.waiting.filter { $0.value.device != device }
            let closed = state.channels.filter { $0.value.device == device }.map(\.key).sorted()
            for number in closed { state.channels[number] = nil }
            let left = state.subscribers.filter { $0.value.contains(device) }.keys.sorted()
            state.subscribers = state.subscribers.mapValues { $0.subtracting([device]) }
            return (closed, left.compactMap(state.table.place))
        }
        for number in closed { tell(.channelClosed(number)) }
        for place in places { tell(.subscription(false, place, by: device)) }
        tell(.disconnected(device))
    }

    private func rename(_ device: DeviceAddress, _ identity: DeviceAddress) {
        state.withLock { state in
            state.subscribers = state.subscribers.mapValues { devices in
                Set(devices.map { $0 == device ? identity : $0 })
            }
            state.waiting = state.waiting.mapValues { waiting in
                guard waiting.device == device else { return waiting }
                return Waiting(
                    device: identity, token: waiting.token, offset: waiting.offset, writes: waiting.writes)
            }
            state.channels = state.channels.mapValues { channel in
                channel.device == device ? Channel(device: identity, channel: channel.channel) : channel
            }
        }
    }

    private func subscribe(_ device: DeviceAddress, _ handle: UInt16, _ isOn: Bool) {
        let change: PeripheralEvent? = state.withLock { state in
            guard let place = state.table.place(of: handle) else { return nil }
            let before = state.subscribers[handle] ?? []
            let after = isOn ? before.union([device]) : before.subtracting([device])
            state.subscribers[handle] = after
            return before == after ? nil : .subscription(isOn, place, by: device)
        }
        if let change { tell(change) }
    }

    // MARK: Services

    private func replace(_ services: [PeripheralService]) async throws {
        do {
            try await driver.act { stack, now throws(AttributeDatabaseError) in
                try stack.changeServices(at: now) { database throws(AttributeDatabaseError) in
                    try self.state.withLock { state throws(AttributeDatabaseError) in
                        let range = try state.table.replace(with: services, in: &database)
                        state.subscribers = state.subscribers.filter { state.table.place(of: $0.key) != nil }
                        return range
                    }
                }
            }
        } catch { throw RadioError.invalid("the services cannot be published: \(error)") }
    }

    /// - Parameter device: Only this one; nil for every device that has subscribed.
    private func notify(_ value: [UInt8], at place: AttributePlace, to device: DeviceAddress?) async throws {
        let handle = state.withLock { state in
            if device == nil { state.table.set(value, at: place) }
            return state.table.handle(of: place)
        }
        guard let handle else { throw RadioError.invalid("the phone has no attribute at \(place)") }
        await driver.act { stack, now in
            guard let device else { return stack.notify(value, of: handle, at: now) }
            return stack.notify(value, of: handle, to: device, at: now)
        }
    }

    private func take(
        _ request: AttributeServer.Request, _ token: AttributeServer.RequestToken, of device: DeviceAddress
    ) async {
        let mtu = await driver.ask { $0.mtu(of: device) } ?? 23
        switch request {
        case .read(let handle, let offset):
            let value = state.withLock { state -> [UInt8]? in
                guard let place = state.table.place(of: handle), !state.table.answering(at: place).reads else {
                    return nil
                }
                return state.table.value(at: place)
            }
            if let value { return await answer(token, of: device, value, from: Int(offset)) }
            let waiting = Waiting(device: device, token: token, offset: Int(offset), writes: [])
            await wait(waiting, for: handle, written: nil, offset: Int(offset), mtu: mtu)
        case .write(let writes):
            await proceed(Waiting(device: device, token: token, offset: nil, writes: writes), mtu: mtu)
        }
    }

    /// A device has changed a value that the database keeps, or has written one without response.
    private func written(_ value: [UInt8], _ handle: UInt16, by device: DeviceAddress) async {
        let mtu = await driver.ask { $0.mtu(of: device) } ?? 23
        await proceed(
            Waiting(device: device, token: nil, offset: nil, writes: [AttributeWrite(handle, value)]), mtu: mtu)
    }

    /// Writes one value after the other, until the app must answer or all are written.
    private func proceed(_ waiting: Waiting, mtu: Int) async {
        var waiting = waiting
        while let write = waiting.writes.first {
            let place = state.withLock { $0.table.place(of: write.handle) }
            let old = place.flatMap { place in state.withLock { $0.table.value(at: place) } } ?? []
            guard let place, let value = Self.whole(old, write) else {
                return await refuse(waiting, place == nil ? .unlikelyError : .invalidOffset)
            }
            if state.withLock({ $0.table.answering(at: place).writes }) {
                return await wait(waiting, for: write.handle, written: value, offset: Int(write.offset), mtu: mtu)
            }
            state.withLock { $0.table.set(value, at: place) }
            tell(.written(Data(value), place))
            waiting.writes.removeFirst()
        }
        guard let token = waiting.token else { return }
        await driver.act { [waiting] in $0.answer(token, of: waiting.device, .written, at: $1) }
    }

    /// The whole value after a part was written; nil if the part begins behind its end.
    private static func whole(_ old: [UInt8], _ write: AttributeWrite) -> [UInt8]? {
        guard write.offset > 0 else { return write.value }
        return Int(write.offset) <= old.count ? old.prefix(Int(write.offset)) + write.value : nil
    }

    /// Leaves a request to the app.
    private func wait(_ waiting: Waiting, for handle: UInt16, written: [UInt8]?, offset: Int, mtu: Int) async {
        let request: PeripheralRequest? = state.withLock { state in
            guard let place = state.table.place(of: handle), state.waiting.count < Self.requestLimit else {
                return nil
            }
            state.lastNumber += 1
            if waiting.token == nil {
                state.commands = state.commands.suffix(Self.requestLimit) + [state.lastNumber]
            } else {
                state.waiting[state.lastNumber] = waiting
            }
            return PeripheralRequest(
                number: state.lastNumber, place: place, written: written.map { Data($0) }, phone: waiting.device,
                offset: offset, mtu: mtu)
        }
        guard let request else { return await refuse(waiting, .unlikelyError) }
        tell(.requested(.init(request)))
    }

    private func answer(_ number: Int, _ answer: PeripheralAnswer) async throws {
        if state.withLock({ $0.commands.contains(number) }) { return }
        guard var waiting = state.withLock({ $0.waiting.removeValue(forKey: number) }) else {
            throw RadioError.invalid("no access with the number \(number) waits for an answer: the device may be gone")
        }
        switch (waiting.offset, answer) {
        case (let offset?, .value(let value)):
            guard let token = waiting.token else { break }
            await self.answer(token, of: waiting.device, Array(value), from: offset)
        case (nil, .written(let kept)):
            let write = waiting.writes.removeFirst()
            let mtu = await driver.ask { [waiting] in $0.mtu(of: waiting.device) } ?? 23
            if let kept {
                state.withLock { state in
                    if let place = state.table.place(of: write.handle) { state.table.set(Array(kept), at: place) }
                }
            }
            await proceed(waiting, mtu: mtu)
        case (_, .refused(let code)): await refuse(waiting, ATTError(code))
        case (_?, .written), (nil, .value):
            await refuse(waiting, .unlikelyError)
            throw RadioError.invalid("a read needs an answer with a value, and a write one without")
        }
    }

    private func answer(
        _ token: AttributeServer.RequestToken, of device: DeviceAddress, _ value: [UInt8], from offset: Int
    ) async {
        let answer: AttributeServer.Answer =
            offset <= value.count ? .value(Array(value.dropFirst(offset))) : .refused(.invalidOffset)
        await driver.act { $0.answer(token, of: device, answer, at: $1) }
    }

    private func refuse(_ waiting: Waiting, _ error: ATTError) async {
        guard let token = waiting.token else { return }
        await driver.act { [handle = waiting.writes.first?.handle] in
            $0.answer(token, of: waiting.device, .refused(error, handle: handle), at: $1)
        }
    }

    // MARK: Channels

    func listen(_ channel: PeripheralChannel) async throws -> UInt16 {
        try await requirePower()
        let (port, listeners) = try state.withLock { state throws(RadioError) in
            // Source: Core Specification 6.0, Vol 3, Part A, 4.22: the ports that are given out.
            let free = (UInt16(0x80)...0xFF).first { state.listeners[$0] == nil }
            guard let port = channel.port ?? free else { throw .invalid("all ports for channels are in use") }
            guard state.listeners[port] == nil else { throw .invalid("the port \(port) is in use") }
            state.listeners[port] = L2CAPLink.Listener(mtu: Self.channelMTU, protection: channel.protection)
            return (port, state.listeners)
        }
        await listen(listeners)
        return port
    }

    private func listen(_ listeners: [UInt16: L2CAPLink.Listener]) async {
        await driver.act { stack, _ in
            stack.listen(listeners)
            return []
        }
    }

    private func number(of channel: LocalChannel, _ device: DeviceAddress) -> Int? {
        state.withLock { $0.channels.first { $0.value.channel == channel && $0.value.device == device }?.key }
    }

    private func send(_ packet: [UInt8], on number: Int) async throws {
        guard let channel = state.withLock({ $0.channels[number] }) else { throw RadioError.notConnected }
        do {
            try await driver.act { stack, now throws(StackFailure) in
                try stack.send(packet, on: channel.channel, of: channel.device, at: now)
            }
        } catch { throw RadioError(error) }
    }
}
