import Synchronization

/// A queue of buffers that a board shares with a device: a split virtqueue of VIRTIO 1.2, section 2.7.
struct Virtqueue {
    /// The most buffers that a queue holds.
    static let largestSize = 1024

    /// A buffer in the board's memory.
    struct Buffer {
        /// Whether the device may write it; else it may read it.
        let isWritable: Bool
        let bytes: UnsafeMutableRawBufferPointer
    }

    /// One or more buffers that the board offers as one.
    struct Chain {
        fileprivate let head: UInt16
        let buffers: [Buffer]
    }

    private enum Flag {
        static let hasNext: UInt16 = 1
        static let isWritable: UInt16 = 2
        static let isIndirect: UInt16 = 4
        /// Of the whole queue: the board wants no calls.
        static let noCalls: UInt16 = 1
    }

    /// The addresses of a queue's three parts.
    struct Addresses: Equatable {
        var descriptors: UInt64
        var used: UInt64
        var available: UInt64
    }

    private let memory: GuestMemory
    private let size: UInt16
    private let descriptors: UnsafeMutableRawBufferPointer
    private let available: UnsafeMutableRawBufferPointer
    private let used: UnsafeMutableRawBufferPointer
    /// How many chains were taken and given back, modulo 2¹⁶.
    private(set) var done: UInt16

    /// - Parameters:
    ///   - size: The number of buffers, a power of two.
    ///   - done: How many chains the device has already given back, modulo 2¹⁶.
    init(in memory: GuestMemory, size: Int, at addresses: Addresses, done: UInt16 = 0) throws(DeviceError) {
        guard size > 0, size <= Virtqueue.largestSize, size & (size - 1) == 0 else {
            throw DeviceError("it makes a queue of \(size) buffers")
        }
        guard addresses.descriptors % 16 == 0, addresses.available % 2 == 0, addresses.used % 4 == 0 else {
            throw DeviceError("it makes a queue at odd addresses")
        }
        self.memory = memory
        self.size = UInt16(size)
        self.done = done
        descriptors = try memory.bytes(at: addresses.descriptors, count: 16 * size)
        available = try memory.bytes(at: addresses.available, count: 4 + 2 * size)
        used = try memory.bytes(at: addresses.used, count: 4 + 8 * size)
    }

    /// How many chains the board has offered, modulo 2¹⁶.
    var offered: UInt16 { available.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }

    /// Whether the board offers a chain.
    var isReady: Bool { offered != done }

    /// The next chain that the board offers; nil if there is none. It stays the next one until ``finish(_:written:)``.
    func next() throws(DeviceError) -> Chain? {
        let offered = offered
        guard offered != done else { return nil }
        guard offered &- done <= size else { throw DeviceError("it offers more buffers than its queue has room for") }
        // The entries are read after their number.
        atomicMemoryFence(ordering: .acquiring)
        let head = available.loadUnaligned(fromByteOffset: 4 + 2 * Int(done % size), as: UInt16.self)
        var buffers: [Buffer] = []
        var index = head
        while true {
            guard index < size, buffers.count < size else { throw DeviceError("it offers an endless chain") }
            let start = 16 * Int(index)
            let address = descriptors.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            let length = descriptors.loadUnaligned(fromByteOffset: start + 8, as: UInt32.self)
            let flags = descriptors.loadUnaligned(fromByteOffset: start + 12, as: UInt16.self)
            guard flags & Flag.isIndirect == 0 else { throw DeviceError("it offers an indirect buffer") }
            buffers.append(
                Buffer(
                    isWritable: flags & Flag.isWritable != 0,
                    bytes: try memory.bytes(at: address, count: Int(length))))
            guard flags & Flag.hasNext != 0 else { break }
            index = descriptors.loadUnaligned(fromByteOffset: start + 14, as: UInt16.self)
        }
        return Chain(head: head, buffers: buffers)
    }

    /// Gives the next chain back to the board.
    ///
    /// - Parameter written: How many bytes the device wrote into it.
    mutating func finish(_ chain: Chain, written: Int) {
        let place = 4 + 8 * Int(done % size)
        used.storeBytes(of: UInt32(chain.head), toByteOffset: place, as: UInt32.self)
        used.storeBytes(of: UInt32(written), toByteOffset: place + 4, as: UInt32.self)
        // The board must not see the number before the entry.
        atomicMemoryFence(ordering: .releasing)
        done &+= 1
        used.storeBytes(of: done, toByteOffset: 2, as: UInt16.self)
    }

    /// Whether the board wants a call for returned chains.
    var wantsCall: Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return available.loadUnaligned(fromByteOffset: 0, as: UInt16.self) & Flag.noCalls == 0
    }
}
