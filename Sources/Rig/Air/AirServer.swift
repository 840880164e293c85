import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import RigModel
import VirtualRadio

/// The air with its sockets: one thread, one poll loop.
///
/// It connects to the radio ports of both boards and serves clients on its own socket. RootCanal's callbacks come on
/// this thread.
package final class AirServer {
    /// How long no client is accepted after a failure. The kernel sends no event when the process has room for another
    /// one.
    private static let acceptPause = Duration.milliseconds(100)

    private let configuration: AirConfiguration
    private let listener: Descriptor
    var medium: Medium
    private var links: [LinkID: Connection] = [:]
    private var clients: [Int: Connection] = [:]
    let stacks: HostStackPorts
    private var lastClient = 0
    var refusedClientFrames = 0
    var capture: CaptureFile?
    private let recorder: RadioRecorder?
    private var nextTick = ContinuousClock.now
    private let started = ContinuousClock.now
    let log: (String) -> Void
    private var repeatedLines = RepeatedLines()
    private let acceptClient: (Descriptor) throws(SystemError) -> Descriptor
    /// When clients are accepted again after a failure; nil if they are accepted now.
    private var nextAccept: ContinuousClock.Instant?

    /// Loads the controllers and listens for clients.
    ///
    /// - Parameter log: Takes a line.
    /// - Throws: Why the library or the socket cannot be used.
    package convenience init(_ configuration: AirConfiguration, log: @escaping (String) -> Void) throws {
        let library = try RootCanal(library: configuration.library)
        try self.init(configuration, log: log) { try library.controller(address: $0) }
    }

    init(
        _ configuration: AirConfiguration, log: @escaping (String) -> Void,
        acceptClient: @escaping (Descriptor) throws(SystemError) -> Descriptor = { listener throws(SystemError) in
            try UnixSocket.accept(on: listener)
        },
        makeController: @escaping (DeviceAddress) throws -> any BluetoothController
    ) throws {
        self.configuration = configuration
        self.log = log
        self.acceptClient = acceptClient
        medium = Medium(
            radios: configuration.radios, firstToken: .random(in: 1...(.max / 2)), makeController: makeController)
        stacks = HostStackPorts(folder: configuration.rig)
        recorder = try configuration.recordings.map {
            try RadioRecorder(folder: $0, continuing: configuration.resumed)
        }
        if let folder = configuration.resumed {
            for id in configuration.radios {
                if let recording = try RadioRecording(of: id, in: folder) { try medium.resume(id, recording) }
            }
        }
        listener = try UnixSocket.listen(at: configuration.controlSocket)
        try listener.setNonBlocking()
    }

    deinit { unlink(configuration.controlSocket) }

    /// Serves until `stop` becomes readable or reaches its end.
    ///
    /// - Throws: ``AirError`` if a board's port does not appear in time, or its frames cannot be recorded.
    package func run(until stop: Descriptor) throws {
        while true {
            try connectLinks()
            var (polls, owners) = interests(stop)
            let ready = poll(&polls, nfds_t(polls.count), timeout())
            if ready > 0 {
                if polls[0].revents != 0 { return }
                // Connect first: a client that sees a port's socket expects the air to be connected to it.
                try connectLinks()
                for (poll, owner) in zip(polls.dropFirst(), owners) where poll.revents != 0 { try serve(owner) }
            }
            let now = ContinuousClock.now
            if medium.needsTicks, now >= nextTick {
                nextTick = now + BluetoothMedium.tickInterval
                take(stacks.refill())
                perform(medium.tick(now: now))
            }
            if let due = nextAccept, now >= due { nextAccept = nil }
            try giveUpOnStalled(at: now)
            flush()
        }
    }

    // MARK: - Waiting

    private enum Owner {
        case listener
        case link(LinkID)
        case client(Int)
        case stack(HostStackPorts.Place)
    }

    private func interests(_ stop: Descriptor) -> ([pollfd], [Owner]) {
        var polls = [pollfd(fd: stop.raw, events: Int16(POLLIN), revents: 0)]
        var owners: [Owner] = []
        func add(_ raw: Int32, _ events: Int16, _ owner: Owner) {
            polls.append(pollfd(fd: raw, events: events, revents: 0))
            owners.append(owner)
        }
        if nextAccept == nil { add(listener.raw, Int16(POLLIN), .listener) }
        for (id, link) in links { add(link.descriptor.raw, link.pollEvents, .link(id)) }
        for (number, client) in clients { add(client.descriptor.raw, client.pollEvents, .client(number)) }
        for (raw, events, place) in stacks.interests { add(raw, events, .stack(place)) }
        return (polls, owners)
    }

    /// Milliseconds until the next timed work; -1 if there is none.
    private func timeout() -> Int32 {
        let now = ContinuousClock.now
        var waits: [Duration] = []
        if medium.needsTicks { waits.append(now.duration(to: nextTick)) }
        if let nextAccept { waits.append(now.duration(to: nextAccept)) }
        if links.count < configuration.radios.count { waits.append(.milliseconds(20)) }
        let isMidFrame = links.values.contains(where: \.isMidFrame) || clients.values.contains(where: \.isMidFrame)
        if isMidFrame { waits.append(.milliseconds(100)) }
        guard let next = waits.min() else { return -1 }
        return Int32(max(0, (next.seconds * 1000).rounded(.up)))
    }

    /// Connects to each port whose socket has appeared. A virtual machine makes them when it starts; no event shows
    /// that, so the air looks repeatedly.
    private func connectLinks() throws(AirError) {
        for id in configuration.radios where links[id] == nil {
            do throws(SystemError) {
                let socket = try UnixSocket.connect(to: configuration.socket(of: id))
                links[id] = try Connection(socket, limit: RadioMessage.limit)
                log("connected to \(id)")
                perform(medium.connected(id))
            } catch {
                let isLate = started.duration(to: .now) > configuration.portTimeout
                if isLate, medium.status.link(id.radio, of: id.board).framesToBoard == 0 {
                    throw AirError("\(id) did not appear within \(configuration.portTimeout.short): \(error)")
                }
            }
        }
    }

    // MARK: - Serving

    private func serve(_ owner: Owner) throws(AirError) {
        switch owner {
        case .listener: accept()
        case .link(let id): try serveLink(id)
        case .client(let number): serveClient(number)
        case .stack(let place): take(stacks.serve(place))
        }
    }

    private func serveLink(_ id: LinkID) throws(AirError) {
        do {
            try take(try links[id]?.receive() ?? [], on: id)
        } catch let error as AirError {
            throw error
        } catch {
            links[id] = nil
            perform(medium.lost(id))
        }
    }

    private func take(_ items: [FrameReader.Item], on id: LinkID) throws(AirError) {
        for item in items {
            if let recorder, case .frame(let frame) = item {
                do { try recorder.add(frame, of: id) } catch { throw AirError("recording \(id): \(error)") }
            }
            perform(medium.receive(item, on: id))
        }
    }

    private func accept() {
        do throws(SystemError) {
            let client = try Connection(acceptClient(listener), limit: AirFrameKind.limit)
            lastClient += 1
            clients[lastClient] = client
        } catch {
            // The client is gone again.
            if error.code == EAGAIN || error.code == ECONNABORTED { return }
            logAgain("\(error)", about: "clients that cannot be accepted")
            nextAccept = .now + Self.acceptPause
        }
    }

    private func serveClient(_ number: Int) {
        do {
            take(try clients[number]?.receive() ?? [], from: number)
        } catch {
            clients[number] = nil
            medium.forget(client: number)
            detachStacks(of: number)
        }
    }

    private func take(_ items: [FrameReader.Item], from client: Int) {
        for item in items {
            switch item {
            case .refused(let why): refuse(why, from: client)
            case .frame(let frame): handle(frame, from: client)
            }
        }
    }

    /// Gives up incomplete frames, so that they do not block the complete frames behind them.
    private func giveUpOnStalled(at now: ContinuousClock.Instant) throws(AirError) {
        for id in links.keys { try take(links[id]?.giveUpIfStalled(at: now) ?? [], on: id) }
        for number in clients.keys { take(clients[number]?.giveUpIfStalled(at: now) ?? [], from: number) }
    }

    // MARK: - Doing

    func perform(_ actions: [Medium.Action]) {
        for action in actions {
            switch action {
            case .send(let message, let id):
                if links[id]?.queue(message.frame) == false {
                    logAgain("\(id) accepts no data; a frame is dropped", about: "frames that \(id) does not accept")
                }
            case .capture(let packet): capture?.add(packet, time: wallClockNanoseconds())
            case .reply(let answer): send(answer)
            case .deliver(let packet, let adapter): take(stacks.send(packet, to: adapter))
            case .log(let line): logAgain(line, about: "notes of the radios")
            case .tell(let event):
                guard tellLog(event) else { continue }
                guard let json = try? JSONEncoder().encode(event) else { continue }
                for number in clients.keys { send(AirFrameKind.calls.event, json, to: number) }
            }
        }
    }

    /// Logs an event.
    ///
    /// - Returns: Whether to report it to clients: false for a program's repeated mistakes.
    private func tellLog(_ event: AirEvent) -> Bool {
        switch event {
        case .refused(let from, _):
            // Each new client has a new number; counted one by one, the table would grow.
            let source = from.hasPrefix("client ") ? "clients" : from
            logAgain("\(event)", about: "refused bytes of \(source)")
        case .hostStack(let adapter, .refused):
            guard let line = repeatedLines.line("\(event)", about: "mistakes of host stack \(adapter)") else {
                return false
            }
            log(line)
        default: log("\(event)")
        }
        return true
    }

    /// Logs a line that a peer can cause any number of times; repetitions are thinned out.
    private func logAgain(_ line: String, about subject: String) {
        if let line = repeatedLines.line(line, about: subject) { log(line) }
    }

    func send(_ answer: AirAnswer) {
        let message = Answerer<AirCall>.answer(answer.ticket.call, answer.outcome)
        send(AirFrameKind.calls.answer, message, to: answer.ticket.client)
    }

    func send(_ kind: UInt8, _ message: Data, to client: Int) {
        // Drop a client that does not read.
        if clients[client]?.queue(Frame(kind: kind, payload: Array(message))) == false { clients[client] = nil }
    }

    private func flush() {
        for id in links.keys { links[id]?.flush() }
        for number in clients.keys { clients[number]?.flush() }
        stacks.flush()
        do { try capture?.flush() } catch {
            capture = nil
            perform([.tell(.captureFailed("\(error)"))])
        }
    }
}
