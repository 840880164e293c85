import Foundation
import HILPOSIX
import HILTiming

@testable import VirtualRig

/// The driver's side of a board's serial ports, without a kernel: memory in a file, and queues in it.
final class StubKernel {
    static let memorySize = 1 << 20
    static let queueSize = 8
    /// Where the memory begins for the board.
    static let base: UInt64 = 0x1000_0000

    let socket: Descriptor
    /// The board's end of the call channel.
    let calls: Descriptor
    private let memory: UnsafeMutableRawBufferPointer
    private let file: Descriptor
    private var offered: [Int: UInt16] = [:]
    private var taken: [Int: UInt16] = [:]

    /// Connects and sets up all queues of ports up to this number.
    init(connectingTo path: String, lastPort: Int = 5) throws {
        socket = try UnixSocket.connect(to: path)
        let name = "\(path).memory"
        let file = try Descriptor.open(name, O_RDWR | O_CREAT)
        unlink(name)
        try valueOrErrno("ftruncate", "making memory") { ftruncate(file.raw, StubKernel.memorySize) }
        let start = mmap(nil, StubKernel.memorySize, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
        memory = UnsafeMutableRawBufferPointer(start: start, count: StubKernel.memorySize)
        self.file = file
        let pipe = try Descriptor.pipe()
        calls = pipe.read
        try send(21, [], [pipe.write])
        let region =
            littleEndian(StubKernel.base) + littleEndian(UInt64(StubKernel.memorySize))
            + littleEndian(StubKernel.base) + littleEndian(UInt64(0))
        try send(5, littleEndian(UInt32(1)) + littleEndian(UInt32(0)) + region, [file])
        for queue in 0..<2 * (lastPort + 2) { try setUp(queue) }
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    /// Sends a request.
    func send(_ number: UInt32, _ payload: [UInt8], _ descriptors: [Descriptor] = []) throws {
        let header = littleEndian(number) + littleEndian(UInt32(1)) + littleEndian(UInt32(payload.count))
        try UnixSocket.send(header + payload, with: descriptors, to: socket)
    }

    /// Sends a request of two numbers.
    func send(_ number: UInt32, queue: Int, _ value: UInt32) throws {
        try send(number, littleEndian(UInt32(queue)) + littleEndian(value))
    }

    private func setUp(_ queue: Int) throws {
        try send(8, queue: queue, UInt32(StubKernel.queueSize))
        try send(10, queue: queue, 0)
        let start = address(of: queue)
        try send(
            9,
            littleEndian(UInt32(queue)) + littleEndian(UInt32(0)) + littleEndian(start) + littleEndian(start + 512)
                + littleEndian(start + 256) + littleEndian(UInt64.max))
        try send(18, queue: queue, 1)
    }

    /// 4096 bytes for a queue: descriptors, at 256 what is available, at 512 what is used, from 1024 on buffers of 256.
    private func address(of queue: Int) -> UInt64 { StubKernel.base + UInt64(queue) << 12 }

    private func place(_ queue: Int, _ offset: Int) -> Int { queue << 12 + offset }

    /// Offers a buffer: with these bytes to read, or with room to write.
    func offer(_ queue: Int, _ bytes: [UInt8]? = nil, room: Int = 256) throws {
        let count = offered[queue, default: 0]
        let index = Int(count) % StubKernel.queueSize
        let buffer = 1024 + 256 * index
        if let bytes { memory[place(queue, buffer)...].copyBytes(from: bytes) }
        let start = place(queue, 16 * index)
        memory.storeBytes(of: address(of: queue) + UInt64(buffer), toByteOffset: start, as: UInt64.self)
        memory.storeBytes(of: UInt32(bytes?.count ?? room), toByteOffset: start + 8, as: UInt32.self)
        memory.storeBytes(of: bytes == nil ? 2 : 0, toByteOffset: start + 12, as: UInt16.self)
        memory.storeBytes(of: UInt16(index), toByteOffset: place(queue, 256 + 4 + 2 * index), as: UInt16.self)
        offered[queue] = count &+ 1
        memory.storeBytes(of: count &+ 1, toByteOffset: place(queue, 256 + 2), as: UInt16.self)
        try send(35, queue: queue, 0)
    }

    /// Writes a descriptor that ``offer(_:_:room:)`` would not write, and offers it.
    func offer(_ queue: Int, address: UInt64, count: UInt32, flags: UInt16, next: UInt16 = 0) throws {
        memory.storeBytes(of: address, toByteOffset: place(queue, 0), as: UInt64.self)
        memory.storeBytes(of: count, toByteOffset: place(queue, 8), as: UInt32.self)
        memory.storeBytes(of: flags, toByteOffset: place(queue, 12), as: UInt16.self)
        memory.storeBytes(of: next, toByteOffset: place(queue, 14), as: UInt16.self)
        memory.storeBytes(of: UInt16(0), toByteOffset: place(queue, 256 + 4), as: UInt16.self)
        memory.storeBytes(of: UInt16(1), toByteOffset: place(queue, 256 + 2), as: UInt16.self)
        try send(35, queue: queue, 0)
    }

    /// Waits for the next call, and returns the number of its queue.
    func call() throws -> Int {
        var poll = pollfd(fd: calls.raw, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 10_000) == 1 else { throw DeviceError("no call came in 10 s") }
        let bytes = try calls.read(upTo: 20)
        return Int(bytes.integer(at: 12) as UInt32)
    }

    /// The bytes of the next buffer of a queue that was given back; waits for it.
    func used(_ queue: Int) throws -> [UInt8] {
        let count = taken[queue, default: 0]
        while memory.load(fromByteOffset: place(queue, 512 + 2), as: UInt16.self) == count { _ = try call() }
        taken[queue] = count &+ 1
        let entry = place(queue, 512 + 4 + 8 * (Int(count) % StubKernel.queueSize))
        let index = Int(memory.load(fromByteOffset: entry, as: UInt32.self))
        let length = Int(memory.load(fromByteOffset: entry + 4, as: UInt32.self))
        let start = place(queue, 1024 + 256 * index)
        return Array(memory[start..<start + length])
    }

    /// How many buffers of a queue were given back.
    func usedCount(_ queue: Int) -> Int { Int(memory.load(fromByteOffset: place(queue, 512 + 2), as: UInt16.self)) }

    /// Sends a control message.
    func control(_ port: UInt32, _ event: UInt16, _ value: UInt16) throws {
        try offer(3, littleEndian(port) + littleEndian(event) + littleEndian(value))
    }

    /// Handles the next control message, and offers its buffer again, as a kernel does.
    @discardableResult
    func handleControl() throws -> [UInt8] {
        defer { try? offer(2) }
        return try used(2)
    }

    /// Makes a port known and opens it, as a kernel does for its program.
    ///
    /// - Parameter isConnected: Whether the port has a client.
    func open(_ port: Int, isConnected: Bool = true) throws {
        for _ in 0..<4 { try offer(2) }
        try control(UInt32(port), 3, 1)
        _ = try used(3)
        for _ in 0..<(isConnected ? 2 : 1) { try handleControl() }
        try control(UInt32(port), 6, 1)
        _ = try used(3)
    }
}
