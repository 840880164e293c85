import Glibc
import HILPOSIX

/// The serial ports of a native board, as its kernel sees them: a virtio console with several ports (VIRTIO 1.2,
/// section 5.3), controlled by ``VhostRequest``s.
///
/// It never waits. ``SerialServer`` calls it when it has work.
final class SerialDevice {
    /// The events of the control queues (VIRTIO 1.2, section 5.3.6.2).
    private enum Event {
        static let deviceReady: UInt16 = 0
        static let portAdd: UInt16 = 1
        static let portReady: UInt16 = 3
        static let portOpen: UInt16 = 6
        static let portName: UInt16 = 7
    }

    private enum Feature {
        /// Several ports.
        static let multiport: UInt64 = 1 << 1
        /// The protocol has its own features.
        static let protocolFeatures: UInt64 = 1 << 30
        static let version1: UInt64 = 1 << 32
        /// Of the protocol: the kernel may be called. Without it, 6.12 requests an impossible interrupt.
        static let callChannel: UInt64 = 1 << 5
        /// Of the protocol: the device has a configuration.
        static let configuration: UInt64 = 1 << 9
        /// Of the protocol: kicks and calls are messages. So the queues need no descriptors.
        static let messages: UInt64 = 1 << 14
    }

    /// The control queues: from the device to the board, and back.
    private enum Control {
        static let toBoard = 2
        static let fromBoard = 3
    }

    /// A queue while the kernel sets it up.
    private struct Slot {
        var size = 0
        var base: UInt16 = 0
        var isEnabled = false
        var queue: Virtqueue?
    }

    private let ports: [SerialPort]
    /// The number of ports that the kernel makes room for, port 0 included.
    private let portCount: Int
    private var slots: [Slot]
    private var memory: GuestMemory?
    private var callChannel: Descriptor?
    /// Control messages for which the board has offered no buffer yet.
    private var controls: [[UInt8]] = []
    /// How many buffers for control messages the board had offered before the first message, modulo 2¹⁶. It offers each
    /// one again after it has handled the message.
    private var controlBuffers: UInt16 = 0
    /// The queues with returned chains that were not yet reported to the board.
    private var uncalled: Set<Int> = []

    init(_ ports: [SerialPort]) {
        self.ports = ports
        portCount = (ports.map(\.number).max() ?? 0) + 1
        slots = Array(repeating: Slot(), count: 2 * (portCount + 1))
    }

    /// Forgets the board. Clients stay connected.
    func reset() {
        slots = Array(repeating: Slot(), count: slots.count)
        (memory, callChannel, controls, uncalled) = (nil, nil, [], [])
        for port in ports { port.reset() }
    }

    /// The queue with the bytes for a port of the board, and the one with the bytes from it.
    private static func queues(of port: Int) -> (toBoard: Int, fromBoard: Int) {
        port == 0 ? (0, 1) : (2 + 2 * port, 3 + 2 * port)
    }

    // MARK: Requests

    /// Handles a request of the board's kernel.
    ///
    /// - Parameter descriptors: The descriptors that came with it.
    /// - Returns: The answer; nil for no answer.
    func handle(_ request: VhostRequest, number: UInt32, descriptors: [Descriptor]) throws -> [UInt8]? {
        func answer(_ payload: [UInt8]) -> [UInt8] { VhostRequest.message(number, payload, isAnswer: true) }
        switch request {
        case .getFeatures:
            return answer(littleEndian(Feature.multiport | Feature.protocolFeatures | Feature.version1))
        case .getProtocolFeatures:
            return answer(littleEndian(Feature.callChannel | Feature.configuration | Feature.messages))
        case .getConfiguration(let size): return answer(try configuration(size))
        case .shareMemory(let regions):
            guard slots.allSatisfy({ $0.queue == nil }) else { throw DeviceError("it moves memory that is in use") }
            memory = try GuestMemory(regions, files: descriptors)
        case .setCallChannel:
            guard let channel = descriptors.first else { throw DeviceError("it sends no call channel") }
            try channel.setNonBlocking()
            callChannel = channel
        case .setSize(let queue, let size): slots[try checked(queue)].size = size
        case .setBase(let queue, let base): slots[try checked(queue)].base = base
        case .setAddresses(let queue, let addresses):
            guard let memory else { throw DeviceError("it makes a queue before it shares memory") }
            let slot = slots[try checked(queue)]
            slots[queue].queue = try Virtqueue(in: memory, size: slot.size, at: addresses, done: slot.base)
        case .enable(let queue, let isEnabled): slots[try checked(queue)].isEnabled = isEnabled
        case .kick(let queue): try kicked(try checked(queue))
        case .other: break
        }
        return nil
    }

    private func checked(_ queue: Int) throws(DeviceError) -> Int {
        guard slots.indices.contains(queue) else { throw DeviceError("it names queue \(queue)") }
        return queue
    }

    /// Columns and rows of a terminal, which does not exist, and the number of ports.
    private func configuration(_ size: Int) throws(DeviceError) -> [UInt8] {
        let content = littleEndian(UInt32(0)) + littleEndian(UInt32(portCount)) + littleEndian(UInt32(0))
        guard size <= content.count else { throw DeviceError("it asks for \(size) bytes of configuration") }
        return littleEndian(UInt32(0)) + littleEndian(UInt32(size)) + littleEndian(UInt32(0)) + content.prefix(size)
    }

    private func kicked(_ queue: Int) throws(DeviceError) {
        switch queue {
        case Control.toBoard:
            try flushControls()
            for port in ports where port.isNews && areControlsHandled {
                port.isNews = false
                try serve(port)
            }
        case Control.fromBoard: try takeControls()
        default:
            guard let port = ports.first(where: { 2 * $0.number + 2 == queue & ~1 }) else { return }
            try serve(port)
        }
    }

    // MARK: Control messages

    /// A control message: port, event and value, then a name.
    private func tell(_ port: Int, _ event: UInt16, _ value: UInt16, name: String = "") throws(DeviceError) {
        controls.append(
            littleEndian(UInt32(port)) + littleEndian(event) + littleEndian(value) + Array(name.utf8))
        // A kernel that takes none does not block this.
        if controls.count > 256 { throw DeviceError("it does not take its control messages") }
        try flushControls()
    }

    private func flushControls() throws(DeviceError) {
        while let message = controls.first, let chain = try slots[Control.toBoard].queue?.next() {
            guard let buffer = chain.buffers.first, buffer.isWritable, buffer.bytes.count >= message.count else {
                throw DeviceError("its buffer for control messages is too small")
            }
            buffer.bytes.copyBytes(from: message)
            if let queue = slots[Control.toBoard].queue, queue.done == 0 { controlBuffers = queue.offered }
            slots[Control.toBoard].queue?.finish(chain, written: message.count)
            uncalled.insert(Control.toBoard)
            controls.removeFirst()
        }
    }

    /// Whether the board has handled every control message.
    private var areControlsHandled: Bool {
        guard let queue = slots[Control.toBoard].queue else { return true }
        return controls.isEmpty && queue.offered &- controlBuffers == queue.done
    }

    private func takeControls() throws(DeviceError) {
        while let chain = try slots[Control.fromBoard].queue?.next() {
            guard let buffer = chain.buffers.first, buffer.bytes.count >= 8 else {
                throw DeviceError("its control message is too short")
            }
            let bytes = Array(buffer.bytes.prefix(8))
            slots[Control.fromBoard].queue?.finish(chain, written: 0)
            uncalled.insert(Control.fromBoard)
            try take(port: bytes.integer(at: 0), event: bytes.integer(at: 4), value: bytes.integer(at: 6))
        }
    }

    private func take(port number: UInt32, event: UInt16, value: UInt16) throws(DeviceError) {
        if event == Event.deviceReady {
            for port in ports { try tell(port.number, Event.portAdd, 1) }
            return
        }
        guard let port = ports.first(where: { $0.number == number }) else { return }
        switch event {
        case Event.portReady:
            port.isKnown = true
            try tell(port.number, Event.portName, 1, name: port.name)
            if port.isConnected { try tellConnection(of: port) }
        case Event.portOpen:
            port.isOpenOnBoard = value != 0
            try serve(port)
        default: break
        }
    }

    // MARK: Ports

    /// Moves bytes in both directions, as far as both sides accept them.
    func serve(_ port: SerialPort) throws(DeviceError) {
        if port.accept() { try tellConnection(of: port) }
        let numbers = SerialDevice.queues(of: port.number)
        var isClientGone = false
        if var queue = slots[numbers.fromBoard].queue, slots[numbers.fromBoard].isEnabled {
            let moved = try port.send(from: &queue)
            slots[numbers.fromBoard].queue = queue
            if moved.hasFinished { uncalled.insert(numbers.fromBoard) }
            isClientGone = moved.isClientGone
        }
        if var queue = slots[numbers.toBoard].queue, slots[numbers.toBoard].isEnabled, !isClientGone {
            let moved = try port.receive(into: &queue)
            slots[numbers.toBoard].queue = queue
            if moved.hasFinished { uncalled.insert(numbers.toBoard) }
            isClientGone = moved.isClientGone
        }
        if isClientGone { try disconnect(port) }
    }

    /// The client of a port has disconnected.
    func disconnect(_ port: SerialPort) throws(DeviceError) {
        if port.disconnect() { try tellConnection(of: port) }
    }

    private func tellConnection(of port: SerialPort) throws(DeviceError) {
        guard port.isKnown else { return }
        // Bytes would overtake the message, and the board would mistake them for those of the previous client.
        port.isNews = port.isConnected
        try tell(port.number, Event.portOpen, port.isConnected ? 1 : 0)
    }

    /// Every port with its descriptor and events to wait for, and its client.
    var waits: [(port: SerialPort, client: Descriptor?, descriptor: Int32, events: Int32)] {
        ports.compactMap { port in
            let queue = slots[SerialDevice.queues(of: port.number).toBoard].queue
            return port.wait(hasRoom: queue?.isReady == true).map {
                (port, port.client, $0.descriptor, $0.events)
            }
        }
    }

    // MARK: Calls

    /// Reports returned chains to the board's kernel.
    ///
    /// - Returns: The descriptor to wait for if there was no room for a message; then call again.
    func call() -> Int32? {
        guard let callChannel else { return nil }
        for number in uncalled {
            if slots[number].queue?.wantsCall == true {
                do throws(SystemError) { try callChannel.writeNow(VhostRequest.call(queue: number)) } catch {
                    if error.code == EAGAIN { return callChannel.raw }
                    // The kernel is gone, which its connection also shows.
                }
            }
            uncalled.remove(number)
        }
        return nil
    }
}
