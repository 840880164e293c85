import RadioModel

@testable import HILBluetoothHost

/// Two hosts on two controllers that hear each other, without time and without loss: as little of a controller as the
/// stack needs.
struct LocalAir {
    /// One host with its controller.
    struct Device {
        var stack: BluetoothStack
        let address: DeviceAddress
        var randomAddress: DeviceAddress?
        var isScanning = false
        var isAdvertising = false
        var advertisement: [UInt8] = []
        var scanResponse: [UInt8] = []
        var initiating: [UInt8]?
        /// The key that the central has given, until the peripheral gives its own.
        var key: [UInt8]?
        var events: [StackEvent] = []
        var results: [StackRequestID: Result<StackAnswer, StackFailure>] = [:]
    }

    private(set) var devices: [Device]
    /// The time of both hosts.
    private(set) var now = Duration.zero
    private var isLinked = false
    private var handle: UInt16 = 0x40
    /// Packets of the hosts that wait for their controller.
    private var queue: [(device: Int, packet: [UInt8])] = []
    /// Decides whether a frame of a host is lost: the device, and the L2CAP frame.
    var loses: (Int, [UInt8]) -> Bool = { _, _ in false }
    /// Every L2CAP frame that passed, by its sender.
    private(set) var frames: [(device: Int, frame: [UInt8])] = []
    /// What device 0 reaches by classic Bluetooth; nil if its controller has none.
    var classic: ClassicAccessory?

    /// The first is 0, the central in most tests; the second is 1.
    ///
    /// - Parameter bonds: Those of device 0.
    init(
        _ personalities: [HostPersonality] = [.iPhone, .iPhone], services: [AttributeDatabase] = [.init(), .init()],
        bonds: [StackBond] = [], classic: ClassicAccessory? = nil
    ) {
        self.classic = classic
        devices = (0..<2).map { number in
            let address = DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8(number + 1)])!  // six bytes
            let identity = DeviceIdentity(
                resolvingKey: Value128([UInt8](repeating: UInt8(number + 7), count: 16))!,  // 16 bytes
                address: PeerAddress(address, isRandom: false))
            // Keys and nonces must differ from call to call.
            let random = CountingBytes(seed: UInt8(number + 1))
            let stack = BluetoothStack(
                personalities[number], identity: identity, bonds: number == 0 ? bonds : [], services: services[number],
                random: { random.next($0) })
            return Device(stack: stack, address: address)
        }
        for number in 0..<2 { act(number) { $0.powerOn(at: $1) } }
    }

    /// Lets a host do something, and all that follows.
    mutating func act(_ device: Int, _ body: (inout BluetoothStack, Duration) -> [BluetoothStack.Output]) {
        take(body(&devices[device].stack, now), of: device)
        run()
    }

    /// Begins a request.
    mutating func perform(_ device: Int, _ request: StackRequest) -> StackRequestID {
        let (id, outputs) = devices[device].stack.perform(request, at: now)
        take(outputs, of: device)
        run()
        return id
    }

    /// The result of a request; nil before it.
    func result(_ device: Int, _ id: StackRequestID) -> Result<StackAnswer, StackFailure>? {
        devices[device].results[id]
    }

    /// The events of a host since the last call.
    mutating func takeEvents(_ device: Int) -> [StackEvent] {
        defer { devices[device].events = [] }
        return devices[device].events
    }

    /// Lets time pass, deadline by deadline.
    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let next = devices.compactMap(\.stack.deadline).min(), next <= end {
            now = max(now, next)
            for device in devices.indices { act(device) { $0.advance(to: $1) } }
        }
        now = end
    }

    /// Both lose the link, as after a supervision timeout.
    mutating func loseLink() {
        guard isLinked else { return }
        isLinked = false
        queue = []
        for device in 0..<2 { tell(device, [4, 0x05, 4, 0] + low(handle) + [0x08]) }
        run()
    }

    /// A device gets a frame that its peer's host never sent.
    mutating func inject(_ frame: [UInt8], to device: Int) {
        give(frame, to: device)
        run()
    }

    /// Device 0 hears what its classic controller says.
    mutating func hearClassic(_ packets: [[UInt8]]) {
        for packet in packets { tell(0, packet) }
        run()
    }

    private mutating func take(_ outputs: [BluetoothStack.Output], of device: Int) {
        for output in outputs {
            switch output {
            case .packet(let packet): queue.append((device, packet))
            case .event(let event): devices[device].events.append(event)
            case .completed(let id, let result): devices[device].results[id] = result
            }
        }
    }

    private mutating func run() {
        while !queue.isEmpty {
            let (device, packet) = queue.removeFirst()
            if device == 0, let answers = classic?.answers(to: packet, at: now) {
                for answer in answers { tell(0, answer) }
                continue
            }
            packet[0] == 1 ? command(packet, of: device) : data(packet, of: device)
        }
    }

    /// Gives a host a packet of its controller.
    private mutating func tell(_ device: Int, _ packet: [UInt8]) {
        take(devices[device].stack.receive(packet, at: now), of: device)
    }

    private func low(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}

// Data.
extension LocalAir {
    private mutating func data(_ packet: [UInt8], of device: Int) {
        guard isLinked else { return }
        tell(device, [4, 0x13, 5, 1] + low(handle) + [1, 0])
        let frame = Array(packet[5...])
        guard !loses(device, frame) else { return }
        frames.append((device, frame))
        give(frame, to: 1 - device)
    }

    private mutating func give(_ frame: [UInt8], to device: Int) { tell(device, packet(of: frame)) }

    /// What a controller tells its host when it gets a frame.
    func packet(of frame: [UInt8]) -> [UInt8] { [2] + low(handle | 0x2000) + low(UInt16(frame.count)) + frame }
}

// Commands.
extension LocalAir {
    private mutating func command(_ packet: [UInt8], of device: Int) {
        let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let parameters = Array(packet[4...])
        switch opcode {
        case 0x1001: complete(opcode, [13, 0, 0, 13, 0xFF, 0xFF, 0, 0], device)
        case 0x1002: complete(opcode, [UInt8](repeating: 0, count: 64), device)
        case 0x1009: complete(opcode, devices[device].address.bytes.reversed(), device)
        case 0x2002: complete(opcode, [251, 0, 8], device)
        case 0x2003: complete(opcode, [1, 0, 0, 0, 0, 0, 0, 0], device)
        case 0x1405: complete(opcode, low(handle) + [UInt8(bitPattern: -40)], device)
        case 0x0406, 0x2013, 0x2016, 0x2019, 0x200D, 0x041D: begin(opcode, parameters, device)
        case 0x200E: giveUp(device)
        case 0x201A, 0x201B:
            complete(opcode, low(handle), device)
            answerKey(opcode == 0x201A ? Array(parameters[2...]) : nil)
        default:
            set(opcode, parameters, device)
            complete(opcode, [], device)
            meet()
        }
    }

    private mutating func complete(_ opcode: UInt16, _ values: [UInt8], _ device: Int) {
        tell(device, [4, 0x0E, UInt8(4 + values.count), 1] + low(opcode) + [0] + values)
    }

    private mutating func set(_ opcode: UInt16, _ parameters: [UInt8], _ device: Int) {
        switch opcode {
        case 0x2005: devices[device].randomAddress = DeviceAddress(bytes: parameters.reversed())
        case 0x200C: devices[device].isScanning = parameters[0] == 1
        case 0x2008: devices[device].advertisement = Array(parameters[1...].prefix(Int(parameters[0])))
        case 0x2009: devices[device].scanResponse = Array(parameters[1...].prefix(Int(parameters[0])))
        case 0x200A: devices[device].isAdvertising = parameters[0] == 1
        default: break
        }
    }

    /// The controller of a device makes no connection any more, if it was making one.
    private mutating func giveUp(_ device: Int) {
        let isInitiating = devices[device].initiating != nil
        devices[device].initiating = nil
        tell(device, [4, 0x0E, 4, 1, 0x0E, 0x20, isInitiating ? 0 : 0x0C])
        guard isInitiating else { return }
        tell(device, [4, 0x3E, 19, 0x01, 0x02] + [UInt8](repeating: 0, count: 17))
    }

    /// Commands that are answered by Command Status, and by an event later.
    private mutating func begin(_ opcode: UInt16, _ parameters: [UInt8], _ device: Int) {
        tell(device, [4, 0x0F, 4, 0, 1] + low(opcode))
        switch opcode {
        case 0x200D:
            devices[device].initiating = Array(parameters[5..<12])
            meet()
        case 0x0406:
            guard isLinked else { return }
            isLinked = false
            tell(device, [4, 0x05, 4, 0] + low(handle) + [0x16])
            tell(1 - device, [4, 0x05, 4, 0] + low(handle) + [parameters[2]])
        case 0x2013:
            let update = [4, 0x3E, 10, 0x03, 0] + low(handle) + Array(parameters[4..<10])
            for each in 0..<2 { tell(each, update) }
        case 0x2019:
            devices[0].key = Array(parameters[12...])
            tell(1 - device, [4, 0x3E, 13, 0x05] + low(handle) + Array(parameters[2..<12]))
        case 0x041D: tell(device, [4, 0x0C, 8, 0] + low(handle) + [13, 0x4C, 0, 0, 0])
        default: tell(device, [4, 0x3E, 12, 0x04, 0] + low(handle) + [1, 0, 0, 0, 0, 0, 0, 0])
        }
    }

    /// The peripheral's key, or that it has none.
    private mutating func answerKey(_ key: [UInt8]?) {
        let central = devices.firstIndex { $0.stack.links.values.first?.isCentral == true } ?? 0
        guard let key else { return tell(central, [4, 0x08, 4, 0x06] + low(handle) + [0]) }
        guard key == devices[0].key else {
            // The integrity check of the first encrypted packet fails.
            isLinked = false
            for each in 0..<2 { tell(each, [4, 0x05, 4, 0] + low(handle) + [0x3D]) }
            return
        }
        for each in [1 - central, central] { tell(each, [4, 0x08, 4, 0] + low(handle) + [1]) }
    }

    /// Advertisements are heard, and who is called answers.
    private mutating func meet() {
        for device in 0..<2 {
            let other = devices[1 - device]
            guard other.isAdvertising, let address = other.randomAddress else { continue }
            let kind = [UInt8(1)] + address.bytes.reversed()
            if devices[device].initiating == kind { return link(device, address) }
            guard devices[device].isScanning else { continue }
            for (type, bytes) in [(UInt8(0), other.advertisement), (4, other.scanResponse)] {
                let report = [type] + kind + [UInt8(bytes.count)] + bytes + [UInt8(bitPattern: -40)]
                tell(device, [4, 0x3E, UInt8(2 + report.count), 0x02, 1] + report)
            }
        }
    }

    private mutating func link(_ central: Int, _ address: DeviceAddress) {
        devices[central].initiating = nil
        devices[1 - central].isAdvertising = false
        isLinked = true
        handle += 1
        let parameters: [UInt8] = [24, 0, 0, 0, 72, 0, 0]
        let own = devices[central].randomAddress ?? devices[central].address
        func complete(_ role: UInt8, _ peer: DeviceAddress) -> [UInt8] {
            [4, 0x3E, 19, 0x01, 0] + low(handle) + [role, 1] + peer.bytes.reversed() + parameters
        }
        tell(1 - central, complete(1, own))
        tell(central, complete(0, address))
    }
}

/// Bytes that look random and are the same in every run.
final class CountingBytes: @unchecked Sendable {  // one test uses it at a time
    private var state: UInt64

    init(seed: UInt8) { state = UInt64(seed) << 32 }

    func next(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }
}
