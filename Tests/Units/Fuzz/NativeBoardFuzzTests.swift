import Foundation
import HILPOSIX
import Testing

@testable import VirtualRig

/// What a native board's kernel says to the program that serves its ports: requests, and queues in shared memory.
@Suite(.serialized)
struct NativeBoardFuzzTests {
    private static func request(_ number: UInt32, _ payload: [UInt8]) -> [UInt8] {
        littleEndian(number) + littleEndian(UInt32(1)) + littleEndian(UInt32(payload.count)) + payload
    }

    private static func state(_ queue: UInt32, _ value: UInt32) -> [UInt8] {
        littleEndian(queue) + littleEndian(value)
    }

    @Test("A request is understood or refused, and the device does nothing outside its queues")
    func requests() async {
        let corpus: [[UInt8]] = [
            Self.request(1, []), Self.request(15, []), Self.request(8, Self.state(5, 256)),
            Self.request(10, Self.state(5, 0)), Self.request(18, Self.state(5, 1)), Self.request(35, Self.state(3, 0)),
            Self.request(24, Self.state(0, 12) + littleEndian(UInt32(0))),
            Self.request(9, Self.state(5, 0) + [4096, 8192, 6144, 0 as UInt64].flatMap(littleEndian)),
            Self.request(5, Self.state(1, 0) + [4096, 65536, 4096, 0 as UInt64].flatMap(littleEndian)),
        ]
        await Fuzzer(corpus: corpus).run("requests of a native board's kernel") { bytes, _ in
            let device = SerialDevice([
                SerialPort(1, name: "agent", end: .file(try Descriptor.open("/dev/null", O_WRONLY)))
            ])
            var rest = bytes[...]
            while rest.count >= VhostRequest.Header.size {
                guard let header = try? VhostRequest.Header(Array(rest)) else { return }
                let payload = Array(rest.dropFirst(VhostRequest.Header.size).prefix(header.payloadSize))
                rest = rest.dropFirst(VhostRequest.Header.size + header.payloadSize)
                guard payload.count == header.payloadSize, let request = try? VhostRequest(header, payload: payload)
                else { return }
                let answer = try? device.handle(request, number: header.number, descriptors: [])
                guard (answer ?? nil)?.count ?? 0 <= 64 else { throw Fuzzer.Finding("it answers too much") }
            }
        }
    }

    @Test("Any memory as a queue: every byte that is moved lies in the memory")
    func queues() async throws {
        let size = 8192
        var memory = [UInt8](repeating: 0, count: size)
        func put(_ bytes: [UInt8], at place: Int) { memory.replaceSubrange(place..<place + bytes.count, with: bytes) }
        for index in 0..<8 {
            let next: UInt16 = index == 2 ? 1 : 0
            put(
                littleEndian(UInt64(4096 + 64 * index)) + littleEndian(UInt32(64)) + littleEndian(next)
                    + littleEndian(UInt16(index + 1)), at: 16 * index)
            put(littleEndian(UInt16(index)), at: 256 + 4 + 2 * index)
        }
        put(littleEndian(UInt16(8)), at: 256 + 2)
        let corpus = [Array(memory[..<600])]
        let path = "/tmp/hil-fuzz-\(UUID().uuidString)"
        let file = try Descriptor.open(path, O_RDWR | O_CREAT)
        unlink(path)
        try file.write(memory)
        let shared = try GuestMemory([.init(address: 0, size: UInt64(size), offset: 0)], files: [file])
        let output = try Descriptor.open("/dev/null", O_WRONLY)
        await Fuzzer(corpus: corpus).run("a native board's queue") { bytes, _ in
            try shared.bytes(at: 0, count: size).copyBytes(from: memory)
            try shared.bytes(at: 0, count: size).copyBytes(from: bytes.prefix(size))
            let addresses = Virtqueue.Addresses(descriptors: 0, used: 512, available: 256)
            var queue = try Virtqueue(in: shared, size: 8, at: addresses)
            let port = SerialPort(1, name: "journal", end: .file(output))
            do { _ = try port.send(from: &queue) } catch let error as DeviceError {
                guard !error.description.isEmpty else { throw Fuzzer.Finding("it does not say what is wrong") }
            }
        }
    }
}
