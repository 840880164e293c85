/// A request of a native board's kernel to the program that serves its serial device: the vhost-user protocol of QEMU's
/// documentation (`docs/interop/vhost-user`) and of Linux's `arch/um/drivers/virtio_uml.c`.
enum VhostRequest: Equatable {
    case getFeatures
    case getProtocolFeatures
    case shareMemory([GuestMemory.Region])
    case setSize(queue: Int, Int)
    case setBase(queue: Int, UInt16)
    case setAddresses(queue: Int, Virtqueue.Addresses)
    case enable(queue: Int, Bool)
    /// Comes with the descriptor on which the kernel waits for calls.
    case setCallChannel
    /// Asks for the device's configuration up to this number of bytes.
    case getConfiguration(size: Int)
    /// Buffers were offered in this queue.
    case kick(queue: Int)
    /// A request without any action, such as to own the device.
    case other

    /// The first bytes of each request and answer: number, flags and the size of the rest.
    struct Header: Equatable {
        static let size = 12
        /// The largest payload of a request. The longest supported one, with eight regions of memory, has 264 bytes.
        static let largestPayload = 512

        let number: UInt32
        let payloadSize: Int

        /// - Parameter bytes: ``size`` bytes.
        init(_ bytes: [UInt8]) throws(DeviceError) {
            number = bytes.integer(at: 0)
            let size: UInt32 = bytes.integer(at: 8)
            guard size <= Header.largestPayload else { throw DeviceError("it sends a request of \(size) bytes") }
            payloadSize = Int(size)
        }
    }

    init(_ header: Header, payload: [UInt8]) throws(DeviceError) {
        func need(_ count: Int) throws(DeviceError) {
            guard payload.count >= count else {
                throw DeviceError("its request \(header.number) has only \(payload.count) bytes")
            }
        }
        func queue() -> Int { Int(payload.integer(at: 0) as UInt32) }
        func state() throws(DeviceError) -> (queue: Int, number: UInt32) {
            try need(8)
            return (queue(), payload.integer(at: 4))
        }
        switch header.number {
        case 1: self = .getFeatures
        case 5: self = .shareMemory(try VhostRequest.regions(payload))
        case 8:
            let (queue, size) = try state()
            self = .setSize(queue: queue, Int(size))
        case 9:
            try need(32)
            self = .setAddresses(
                queue: queue(),
                Virtqueue.Addresses(
                    descriptors: payload.integer(at: 8), used: payload.integer(at: 16),
                    available: payload.integer(at: 24)))
        case 10:
            let (queue, base) = try state()
            self = .setBase(queue: queue, UInt16(truncatingIfNeeded: base))
        case 15: self = .getProtocolFeatures
        case 18:
            let (queue, number) = try state()
            self = .enable(queue: queue, number != 0)
        case 21: self = .setCallChannel
        case 24:
            try need(12)
            self = .getConfiguration(size: Int(payload.integer(at: 4) as UInt32))
        case 35: self = .kick(queue: try state().queue)
        default: self = .other
        }
    }

    private static func regions(_ payload: [UInt8]) throws(DeviceError) -> [GuestMemory.Region] {
        let count: UInt32 = payload.count >= 8 ? payload.integer(at: 0) : 0
        guard (1...8).contains(count), payload.count >= 8 + 32 * Int(count) else {
            throw DeviceError("it shares \(count) regions of memory in \(payload.count) bytes")
        }
        return (0..<Int(count)).map { index in
            let start = 8 + 32 * index
            return GuestMemory.Region(
                address: payload.integer(at: start), size: payload.integer(at: start + 8),
                offset: payload.integer(at: start + 24))
        }
    }

    /// An answer to a request, or a call on the call channel.
    ///
    /// - Parameter isAnswer: False for a call.
    static func message(_ number: UInt32, _ payload: [UInt8], isAnswer: Bool) -> [UInt8] {
        let version: UInt32 = 1
        let answer: UInt32 = 1 << 2
        return littleEndian(number) + littleEndian(isAnswer ? version | answer : version)
            + littleEndian(UInt32(payload.count)) + payload
    }

    /// The message that reports returned chains in a queue to the kernel.
    static func call(queue: Int) -> [UInt8] {
        message(4, littleEndian(UInt32(queue)) + littleEndian(UInt32(0)), isAnswer: false)
    }
}

/// The bytes of a number, lowest first.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

extension [UInt8] {
    /// The number at a place, lowest byte first. The caller has checked that the bytes exist.
    func integer<Number: FixedWidthInteger>(at place: Int) -> Number {
        self[place..<place + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
