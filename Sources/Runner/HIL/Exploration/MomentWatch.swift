import BoardProtocol
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import Synchronization

/// Counts the moments of a journey, and notices those at which something is to go wrong.
final class MomentWatch: Sendable {
    private struct State {
        var names = PacketNames()
        var counts: [String: Int] = [:]
        var moments: [JourneyMoment] = []
        var began = ContinuousClock.now
        var isWatching = false
        /// The topmost screen; nil for the app itself.
        var screen: Screen?
        var steps: [String] = []
        /// The devices that the phone is connected to.
        var links: Set<DeviceAddress> = []
        var hasWiFi = false
        var hasApp = false
        var isPeripheral = false
        /// What the app was told since the fault: errors and ends.
        var badNews: [String] = []
        var ownEnd: String?
        var wantsNews = false
        /// The moments that are still to come, in order.
        var targets: [Moment]
    }

    private let state: Mutex<State>
    /// Told when a moment comes, with it.
    private let onMoment: Mutex<(@Sendable (Moment) -> Void)?>

    /// - Parameter targets: The moments that ``pass(_:_:controls:)`` notices, one after the other.
    init(_ targets: [Moment]) {
        state = Mutex(State(targets: targets))
        onMoment = Mutex(nil)
    }

    /// Begins to count.
    func begin() {
        state.withLock {
            $0.began = .now
            $0.isWatching = true
        }
    }

    /// Ends counting, and returns the moments.
    func end() -> [JourneyMoment] {
        state.withLock {
            $0.isWatching = false
            return $0.moments
        }
    }

    /// How many of the targets have not come.
    var missing: Int { state.withLock { $0.targets.count } }

    /// Whether the app has made the phone a peripheral.
    var isPeripheral: Bool { state.withLock { $0.isPeripheral } }

    /// The topmost screen's kind; nil for the app itself.
    var screen: String? { state.withLock { $0.screen?.kind.rawValue } }

    // MARK: What passes

    /// Notes that something happened.
    ///
    /// - Returns: The moment, if it is the next target.
    @discardableResult
    func pass(_ layer: Moment.Layer, _ what: String, controls: [String] = []) -> Moment? {
        state.withLock { state in
            guard state.isWatching else { return nil }
            let number = state.counts[what, default: 0] + 1
            state.counts[what] = number
            guard number <= Moment.mostNumbers else { return nil }
            let moment = Moment(layer, what, number: number)
            state.moments.append(
                JourneyMoment(
                    moment, seconds: state.began.duration(to: .now).seconds, screen: state.screen?.kind.rawValue,
                    step: state.steps.last, controls: controls, hasLink: !state.links.isEmpty,
                    hasWiFi: state.hasWiFi, hasApp: state.hasApp))
            guard state.targets.first == moment else { return nil }
            state.targets.removeFirst()
            return moment
        }
    }

    /// Names a packet, and notes it.
    func pass(_ packet: RawPacket) -> Moment? {
        guard let (layer, what) = state.withLock({ $0.names.name(packet) }) else { return nil }
        return pass(layer, what)
    }

    /// Notes a new topmost screen. A screen that only changes what it says stays the same moment.
    func see(_ screen: Screen?) -> Moment? {
        let isNew = state.withLock { state in
            defer { state.screen = screen }
            return screen != nil && screen?.kind != state.screen?.kind
        }
        guard isNew, let screen else { return nil }
        return pass(.screen, "screen(\(screen.kind.rawValue))", controls: screen.controls.map(\.rawValue))
    }

    /// Notes that a step begins.
    func step(_ name: String) -> Moment? {
        state.withLock { $0.steps.append(name) }
        return pass(.step, "step(\(name))")
    }

    /// Notes what Core Bluetooth tells the app.
    func told(_ callback: String, isBadNews: Bool) -> Moment? {
        state.withLock { state in
            guard state.wantsNews else { return }
            if isBadNews {
                state.badNews.append(callback)
            } else if callback == "didDisconnectPeripheral" {
                state.ownEnd = callback
            }
        }
        // The values of packets are moments of their own.
        return ["didConnect", "didFailToConnect", "didDisconnectPeripheral"].contains(callback)
            ? pass(.told, "told(\(callback))") : nil
    }

    /// Notes an event of the phone's log.
    func take(_ event: PhoneEvent.Kind) -> Moment? {
        switch event {
        case .told(_, let text):
            let word = String(text.prefix { $0.isLetter })
            let isBad =
                text.hasSuffix(")") || word == "completion" && !text.hasSuffix("no error")
                || word == "joining" && !text.hasSuffix(": done") || word == "pickerDidDismiss"
            state.withLock { state in
                if isBad, state.wantsNews { state.badNews.append(text) }
            }
            return pass(.told, "told(\(word))")
        case .radio(let event): note(event)
        case .app(_, let what):
            state.withLock {
                $0.hasApp = what.hasPrefix("was launched") || $0.hasApp && !what.hasPrefix("was ")
                if what == "made a CBPeripheralManager" { $0.isPeripheral = true }
            }
        default: break
        }
        return nil
    }

    private func note(_ event: RadioEvent) {
        state.withLock { state in
            switch event {
            case .connected(let device): state.links.insert(device)
            case .disconnected(let device, _): state.links.remove(device)
            case .addressChanged(let device, let to):
                if state.links.remove(device) != nil { state.links.insert(to) }
            default: break
            }
        }
    }

    /// Notes a frame of Wi-Fi.
    func frame(_ name: String) -> Moment? {
        state.withLock { $0.hasWiFi = true }
        return pass(.wifi, name)
    }

    /// Notes what the home's router reports of a station.
    func home(_ event: HomeNetworkEvent) -> Moment? {
        state.withLock { $0.hasWiFi = true }
        return switch event {
        case .joined: pass(.network, "home(joined)")
        case .left: pass(.network, "home(left)")
        case .refused: pass(.network, "home(refused)")
        case .gaveAddress: pass(.network, "home(gaveAddress)")
        }
    }

    // MARK: News

    /// Keeps what the app is told from now on, as far as it is an error or an end.
    func listen() { state.withLock { $0.wantsNews = true } }

    /// What the app was told since ``listen()``.
    var news: [String] { state.withLock { $0.badNews } }

    /// The end of a link that the app was told since ``listen()`` and had asked for itself.
    var ownEnd: String? { state.withLock { $0.ownEnd } }
}
