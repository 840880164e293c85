import BoardAgent
import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import HILWiFi

/// Holds a board for one run. It carries out the calls of its runner one after the other. It gives the board back when
/// the runner asks, when its heartbeat stops, or when the stream to it ends.
actor Keeper {
    private let port: AgentPort
    private let loginAddress: String?
    private let taking: @Sendable () throws(KeeperFailure) -> Descriptor
    private let choice = BoardRadios.Choice.ofThisBoard
    private var radios: BoardRadios?
    private var taken: TakenBoard?
    private var lease: BoardLease?
    /// The lock on the board; nil before it was taken.
    private var lock: Descriptor?
    private var agent: AgentProcess?
    private var monitor: RadioMonitor?
    private var wifiMonitor: WiFiMonitor?
    /// Whether the radio is known to carry no monitor.
    private var lacksMonitor = false
    private var kernel: KernelLog?

    /// - Parameters:
    ///   - loginAddress: The board's address of the login; nil without a login.
    ///   - taking: Locks the board, or reports its holder.
    init(
        port: AgentPort, loginAddress: String?, taking: @escaping @Sendable () throws(KeeperFailure) -> Descriptor
    ) {
        (self.port, self.loginAddress, self.taking) = (port, loginAddress, taking)
    }

    /// Carries out a call, and answers it.
    func answer(_ call: KeeperCall, _ id: UInt32) async {
        let outcome: Result<Answer, KeeperFailure>
        do throws(KeeperFailure) { outcome = .success(try await perform(call)) } catch { outcome = .failure(error) }
        send(Answerer<KeeperCall>.answer(id, outcome))
    }

    nonisolated func send(_ answer: Data) {
        port.send(Frame(kind: KeeperProtocol.FrameKind.answer, payload: Array(answer)))
    }

    private nonisolated func tell(_ event: KeeperEvent) {
        guard let payload = try? JSONEncoder().encode(event) else { return }
        port.send(Frame(kind: KeeperProtocol.FrameKind.event, payload: Array(payload)))
    }

    private nonisolated func pass(_ bytes: [UInt8], as kind: UInt8) { port.send(Frame(kind: kind, payload: bytes)) }

    /// Passes bytes of the runner on to the agent.
    func sendToAgent(_ bytes: [UInt8]) { agent?.send(bytes) }

    private func perform(_ call: KeeperCall) async throws(KeeperFailure) -> Answer {
        switch call {
        case .look(KeeperProtocol.version, let reply): return reply(await look())
        case .look(let version, _):
            throw KeeperFailure(
                "its hil-board speaks version \(KeeperProtocol.version) of the keeper's protocol, "
                    + "but the runner speaks \(version)",
                remedy: "run `hil bench prepare` again")
        case .beat(let reply): return reply(wallClockNanoseconds())
        case .take(let lease, let reply): return reply(try await take(lease))
        case .begin(let role, let depth, let reply): return reply(try await begin(role, depth))
        case .end(let reply): return reply(await end())
        case .flush(let reply): return reply()
        case .reboot(let reply):
            // The stream ends with the board.
            try await SystemProgram.require(["systemctl", "--no-block", "reboot"])
            return reply()
        case .giveBack(let reply): return reply(await giveBack())
        }
    }

    private func end() async -> [String] {
        async let taken = managedInterfaces()
        await endAgent()
        // While there is an agent, the kernel may hide the radios: the adapter is lent to the phone's host, and the Wi-Fi
        // radio is in the network of a home's router.
        return await adapterIntrusions() + (await taken) + (await missingInterface())
    }

    private func look() async -> BoardFacts {
        var facts = await BoardFacts.read(choice: choice, loginAddress: loginAddress)
        facts.holder = BoardLock.holder
        facts.isLeftTaken = facts.holder == nil && TakenBoard.left != nil
        return facts
    }

    private func take(_ lease: BoardLease) async throws(KeeperFailure) -> BoardFacts {
        guard taken == nil else { throw KeeperFailure("this run already has the board") }
        let facts = await look()
        guard facts.missing.isEmpty else {
            throw KeeperFailure(
                "it lacks \(facts.missing.joined(separator: ", "))",
                remedy: "run `hil bench prepare`, which installs them")
        }
        let radios = try BoardRadios(of: facts, home: lease.home)
        lock = try taking()
        BoardLock.write(holder: lease.holder)
        // If a run and its keeper were killed, they could not give the board back.
        if let left = TakenBoard.left {
            let problems = await left.giveBack()
            guard problems.isEmpty else {
                unlock()
                throw KeeperFailure(
                    "an earlier run has not given it back, and this cannot be repaired: "
                        + problems.joined(separator: "; "),
                    remedy: "restart the board")
            }
        }
        do throws(KeeperFailure) { taken = try await TakenBoard.take(radios) } catch {
            taken = TakenBoard.left
            _ = await giveBack()
            throw error
        }
        (self.radios, self.lease) = (radios, lease)
        kernel = try? KernelLog { [self] in pass($0, as: KeeperProtocol.FrameKind.kernel) }
        if lease.captures { startCapture(radios) }
        return facts
    }

    private func startCapture(_ radios: BoardRadios) {
        do {
            monitor = try RadioMonitor(adapter: radios.adapter) { [self] in
                pass($0.payload, as: KeeperProtocol.FrameKind.packet)
            }
        } catch { tell(.captureLacks("HCI: \(error)")) }
    }

    /// Listens to 802.11 beside the radio's own traffic. The previous reset has removed the monitor of the last
    /// scenario.
    private func listen(_ radios: BoardRadios) async {
        wifiMonitor?.stop()
        wifiMonitor = nil
        guard lease?.captures == true, !lacksMonitor else { return }
        do throws(KeeperFailure) {
            wifiMonitor = try await WiFiMonitor(beside: radios.interface) { [self] in
                pass($0.payload, as: KeeperProtocol.FrameKind.packet)
            }
        } catch {
            lacksMonitor = true
            tell(.captureLacks("802.11: \(error)"))
        }
    }

    private func begin(_ role: BoardRole, _ depth: ResetDepth) async throws(KeeperFailure) -> ResetReport {
        guard let radios else { throw KeeperFailure("the board was not taken") }
        await endAgent()
        let began = ContinuousClock.now
        let reset = RadioReset(radios: radios, storage: TakenBoard.storage)
        let start = WirelessStack.timeSinceBoot()
        try await reset.perform(depth)
        let left = await reset.leftOver(since: start)
        let seconds = began.duration(to: .now).seconds
        await listen(radios)
        let agent = try AgentProcess(
            role, radios, storage: TakenBoard.storage,
            take: { [self] in pass($0, as: KeeperProtocol.FrameKind.agent) },
            takeJournal: { [self] in pass($0, as: KeeperProtocol.FrameKind.journal) })
        self.agent = agent
        Task {
            let how = await agent.wait()
            self.notice(agent, how)
        }
        return ResetReport(leftOver: left, seconds: seconds)
    }

    private func notice(_ ended: AgentProcess, _ how: String) {
        guard agent === ended else { return }
        agent = nil
        tell(.agentEnded(how))
    }

    private func endAgent() async {
        let agent = agent
        self.agent = nil
        await agent?.stop()
    }

    /// A sentence if the adapter is not there any more. Then, as below, a scenario's result says nothing about the
    /// product.
    private func adapterIntrusions() async -> [String] {
        guard let radios, await TakenBoard.information(of: radios.adapter)?.address != radios.address else { return [] }
        return ["the Bluetooth adapter \(radios.address) was unplugged or does not respond"]
    }

    /// Sentences on who else used the Wi-Fi radio during the run.
    private func managedInterfaces() async -> [String] {
        guard let radios, let taken else { return [] }
        var found: [String] = []
        for interface in radios.interfaces where taken.isManaged(interface) {
            guard let hold = try? await NetworkManager.hold(of: interface), hold.isManaged else { continue }
            found.append("NetworkManager has taken \(interface) back")
        }
        return found
    }

    /// A sentence if the Wi-Fi interface is not there any more.
    private func missingInterface() async -> [String] {
        guard let interface = radios?.interface, if_nametoindex(interface) == 0 else { return [] }
        let returned = try? await WirelessStack().interface(named: interface, within: RadioReset.returnLimit)
        return returned == nil ? ["the Wi-Fi interface \(interface) is gone"] : []
    }

    /// Gives the board back. A second call does nothing.
    func giveBack() async -> [String] {
        await endAgent()
        monitor?.stop()
        wifiMonitor?.stop()
        kernel?.stop()
        defer { unlock() }
        guard let taken else { return [] }
        (self.taken, radios) = (nil, nil)
        return await taken.giveBack()
    }

    private func unlock() {
        guard let lock else { return }
        BoardLock.forget()
        lock.close()
        self.lock = nil
    }
}

/// The lock on the board: one run at a time.
enum BoardLock {
    private static let path = "\(TakenBoard.folder)/lock"

    /// Takes the lock. It is released when the descriptor is closed, at the latest when this process ends.
    static func take() throws(KeeperFailure) -> Descriptor {
        let file: Descriptor
        do throws(SystemError) {
            try SmallFile.make(TakenBoard.folder)
            chmod(TakenBoard.folder, 0o700)
            file = try Descriptor.open(path, O_RDWR | O_CREAT)
        } catch { throw KeeperFailure("the board cannot be locked: \(error)") }
        guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
            throw KeeperFailure(
                "it is taken by \(SmallFile.text("\(path).holder") ?? "another run")",
                remedy: "wait for that run, or end it")
        }
        return file
    }

    /// The holder of the board; nil if nobody has the lock.
    static var holder: String? {
        guard let file = try? Descriptor.open(path, O_RDWR) else { return nil }
        if flock(file.raw, LOCK_EX | LOCK_NB) == 0 { return nil }
        return SmallFile.text("\(path).holder") ?? "another run"
    }

    static func write(holder: String) { try? SmallFile.replace("\(path).holder", by: holder, mode: 0o600) }

    static func forget() { SmallFile.remove("\(path).holder") }
}
