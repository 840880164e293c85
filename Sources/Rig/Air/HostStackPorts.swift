import BoardProtocol
import Glibc
import HILPOSIX
import RigModel

/// The sockets through which programs with a host stack reach their controllers. To be used from one thread.
///
/// A program may send anything at any speed. Its packets are taken at the pace of the air, so that it slows down only
/// itself. Its unread packets are limited.
final class HostStackPorts {
    /// A descriptor to wait for.
    enum Place: Hashable {
        case listener(AdapterID)
        case program(AdapterID)
    }

    /// Something that a program did.
    enum Event: Equatable {
        case connected(AdapterID)
        case packet([UInt8], AdapterID)
        case disconnected(AdapterID)
        /// It broke the transport's rules. Its connection and its listener are closed.
        case cutOff(AdapterID, why: String)
        /// It asked for a second connection, which was closed.
        case refused(AdapterID, why: String)
    }

    /// The most packets of one program in one tick of the air: 3,200 a second, more than a radio can send.
    static let packetsPerTick = 16
    /// The most bytes that wait for a program.
    static let sendLimit = 1 << 20

    private struct Port {
        /// Nil after the program was cut off.
        var listener: Descriptor?
        var program: Program?
    }

    private struct Program {
        let socket: Descriptor
        var reader = H4Reader()
        var outgoing: [UInt8] = []
        /// How many packets may still be taken in this tick.
        var budget = HostStackPorts.packetsPerTick
        /// Whether all packets that the program sent before it closed the connection are read.
        var isAtEnd = false
    }

    private let folder: String
    private var ports: [AdapterID: Port] = [:]

    /// - Parameter folder: The rig's private folder, in which the sockets are made.
    init(folder: String) { self.folder = folder }

    deinit { for adapter in ports.keys { unlink(path(of: adapter)) } }

    /// The path of a controller's socket.
    func path(of adapter: AdapterID) -> String { "\(folder)/stack-\(adapter).sock" }

    /// Makes the socket of a controller. Only the owner of the rig may use it.
    func open(_ adapter: AdapterID) throws(SystemError) {
        let listener = try UnixSocket.listen(at: path(of: adapter))
        try listener.setNonBlocking()
        ports[adapter] = Port(listener: listener)
    }

    /// Removes the socket of a controller, and disconnects its program.
    func close(_ adapter: AdapterID) {
        guard let port = ports.removeValue(forKey: adapter) else { return }
        port.listener?.close()
        port.program?.socket.close()
        unlink(path(of: adapter))
    }

    /// The descriptors to wait for, with the events in the form of `poll`.
    var interests: [(raw: Int32, events: Int16, place: Place)] {
        ports.flatMap { adapter, port -> [(raw: Int32, events: Int16, place: Place)] in
            var all: [(raw: Int32, events: Int16, place: Place)] = []
            if let listener = port.listener { all.append((listener.raw, Int16(POLLIN), .listener(adapter))) }
            if let program = port.program {
                let wantsRoom: Int16 = program.outgoing.isEmpty ? 0 : Int16(POLLOUT)
                let events = (program.budget > 0 && !program.isAtEnd ? Int16(POLLIN) : 0) | wantsRoom
                // Without events, `poll` would still report a closed connection again and again.
                if events != 0 { all.append((program.socket.raw, events, .program(adapter))) }
            }
            return all
        }
    }

    /// Handles that a descriptor is ready.
    func serve(_ place: Place) -> [Event] {
        switch place {
        case .listener(let adapter): accept(adapter)
        case .program(let adapter): receive(from: adapter)
        }
    }

    /// Begins a tick: every program may send again. Packets left over from the last tick come first.
    func refill() -> [Event] {
        ports.keys.sorted { $0.rawValue < $1.rawValue }.flatMap { adapter -> [Event] in
            ports[adapter]?.program?.budget = HostStackPorts.packetsPerTick
            return packets(of: adapter)
        }
    }

    /// Queues a packet for a program; ``flush()`` sends it. Without a connected program, it is lost.
    func send(_ packet: [UInt8], to adapter: AdapterID) -> [Event] {
        guard let waiting = ports[adapter]?.program?.outgoing.count else { return [] }
        guard waiting + packet.count <= HostStackPorts.sendLimit else {
            return cutOff(adapter, "it does not read: \(waiting) bytes of its controller's packets are waiting")
        }
        ports[adapter]?.program?.outgoing += packet
        return []
    }

    /// Sends as much as the programs take.
    func flush() { for adapter in ports.keys { flush(adapter) } }

    private func accept(_ adapter: AdapterID) -> [Event] {
        guard let listener = ports[adapter]?.listener, let socket = try? UnixSocket.accept(on: listener) else {
            return []
        }
        guard ports[adapter]?.program == nil else {
            socket.close()
            return [.refused(adapter, why: "a second connection, but a controller has one host")]
        }
        do { try socket.setNonBlocking() } catch { return [.refused(adapter, why: "\(error)")] }
        ports[adapter]?.program = Program(socket: socket)
        return [.connected(adapter)]
    }

    private func receive(from adapter: AdapterID) -> [Event] {
        guard var program = ports[adapter]?.program, program.budget > 0, !program.isAtEnd else { return [] }
        do throws(SystemError) {
            let bytes = try program.socket.read(upTo: 16_384)
            program.reader.push(bytes)
            program.isAtEnd = bytes.isEmpty
        } catch {
            guard error.code != EAGAIN else { return [] }
            program.isAtEnd = true
        }
        ports[adapter]?.program = program
        return packets(of: adapter)
    }

    /// Takes the packets that a program may send in this tick.
    private func packets(of adapter: AdapterID) -> [Event] {
        var events: [Event] = []
        while let budget = ports[adapter]?.program?.budget, budget > 0 {
            do throws(H4Reader.Malformed) {
                guard let packet = try ports[adapter]?.program?.reader.next() else { break }
                events.append(.packet(packet, adapter))
                ports[adapter]?.program?.budget = budget - 1
            } catch { return events + cutOff(adapter, error.description) }
        }
        guard let program = ports[adapter]?.program, program.isAtEnd, program.budget > 0 else { return events }
        program.socket.close()
        ports[adapter]?.program = nil
        return events + [.disconnected(adapter)]
    }

    private func flush(_ adapter: AdapterID) {
        while let program = ports[adapter]?.program, !program.outgoing.isEmpty {
            do throws(SystemError) {
                let count = try program.socket.writeSome(program.outgoing)
                ports[adapter]?.program?.outgoing.removeFirst(count)
            } catch {
                // The next read notices that the program is gone.
                if error.code != EAGAIN { ports[adapter]?.program?.outgoing = [] }
                return
            }
        }
    }

    private func cutOff(_ adapter: AdapterID, _ why: String) -> [Event] {
        close(adapter)
        ports[adapter] = Port()
        return [.cutOff(adapter, why: why)]
    }
}
