import BoardProtocol
import Foundation
import HILTiming
import HostRadio
import RadioModel
import Synchronization

/// The simulated phone: a person, a screen, apps, authorisations, and a radio.
///
/// It knows its radio only as a `HostRadio`. Apple's frameworks find the phone that they run on through
/// `current`. The events on the phone are in ``log``.
public final class Phone: Sendable {
    /// The phone's Bluetooth and Wi-Fi. Only the phone consumes their events; parts get them in
    /// ``PhoneComponent/receive(_:)``.
    package let radio: any HostRadio
    /// The clock of every wait and deadline on the phone.
    package let clock: any Clock<Duration>
    /// The person who uses the phone.
    public let person: Person
    /// The screens that the person sees.
    package let display: Display
    /// Which app may use which accessory; outlives the apps.
    package let store: AuthorizationStore
    /// The identifiers that apps see in place of device addresses.
    package let identifiers = IdentifierMap()
    /// Discovery by Bluetooth LE, shared by every part of the phone that listens for advertisements.
    package let discovery: DiscoveryLease
    /// How many advertisements ``log`` keeps. A radio repeats each several times a second.
    static let keptAdvertisements = 4000
    /// The events on the phone, in order. It keeps all events except old advertisements.
    public let log: EventLog<PhoneEvent>
    /// The wall-clock time at which the phone was switched on; ``PhoneEvent/at`` counts from here.
    package let switchedOn = Date()

    private struct State {
        var policy: HostPolicy
        var app: RunningApp?
        /// How many apps are ending: not every part has heard of it yet.
        var endings = 0
        /// The names of the apps that were launched, by bundle identifier.
        var appNames: [String: String] = [:]
        var bluetoothIsOn = true
        var wifiIsOn = true
        /// Receives the place of each call that may throw: file identifier, path, line.
        var onCallSite: (@Sendable (String, String, Int) -> Void)?
        var onTold: (@Sendable (String, CentralEvent) -> Void)?
        /// Adds to near misses what is known outside the phone.
        var explainMisses: (@Sendable ([NearMiss]) -> [NearMiss])?
        /// The radios that the person has switched off in Settings.
        var switchedOff: Set<RadioSwitch> = []
        var canAddAccessories = true
        var pumps: [Task<Void, Never>] = []
        var isOff = false

        var isFree: Bool { app == nil && endings == 0 && !isOff }
    }

    private let state: Mutex<State>
    private let parts = Mutex<[ObjectIdentifier: any PhoneComponent]>([:])
    private let recorder: @Sendable (PhoneEvent.Kind) -> Void
    private let inputs: AsyncStream<PhoneInput>.Continuation

    /// Switches a phone on.
    ///
    /// - Parameters:
    ///   - radio: The phone's Bluetooth and Wi-Fi, already powered.
    ///   - policy: What to do where Apple documents nothing.
    ///   - clock: The clock of every wait and deadline on the phone.
    package init(
        radio: any HostRadio, policy: HostPolicy = HostPolicy(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        let log = EventLog<PhoneEvent>(keepingAtMost: Phone.keptAdvertisements) {
            if case .radio(.advertisement) = $0.kind { true } else { false }
        }
        let elapsed = stopwatch(clock)
        let recorder: @Sendable (PhoneEvent.Kind) -> Void = { log.append(PhoneEvent(at: elapsed(), kind: $0)) }
        self.radio = radio
        self.clock = clock
        self.log = log
        self.recorder = recorder
        person = Person(record: recorder)
        display = Display(person: person, record: recorder)
        store = AuthorizationStore(record: recorder)
        discovery = DiscoveryLease(radio)
        state = Mutex(State(policy: policy))
        let (stream, inputs) = AsyncStream<PhoneInput>.makeStream()
        self.inputs = inputs
        discovery.onFailure { [weak self] in self?.note($0, during: "looking for accessories", by: "Bluetooth") }
        person.onNewIntention { [weak display] in display?.refresh() }
        store.onChange { [weak self] app in
            self?.forEachPart { $0.authorizationsChanged(of: app) }
            self?.display.refresh()
        }
        display.onSettle { [weak self] in self?.part(SettingsApp.self).openIfWanted(over: $0) }
        let pump = Task { [weak self] in
            for await input in stream { self?.receive(input) }
        }
        let radioPump = Task { for await event in radio.events { inputs.yield(.radio(event)) } }
        state.withLock { $0.pumps = [pump, radioPump] }
    }

    deinit { for pump in state.withLock({ $0.pumps }) { pump.cancel() } }

    /// What to do where Apple documents nothing. A change affects only what begins after it.
    public var policy: HostPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// The app that is running, in the foreground or in the background; nil if none is.
    public var app: RunningApp? { state.withLock { $0.app } }

    /// The name that the person knows an app by: that of its last launch, or else its bundle identifier (P7).
    func name(ofApp identifier: String) -> String { state.withLock { $0.appNames[identifier] } ?? identifier }

    /// Whether Bluetooth is on, by the radio's last report. It counts as off as soon as the person switches it off.
    public var bluetoothIsOn: Bool { state.withLock { $0.bluetoothIsOn } }

    /// Whether Wi-Fi is on, by the radio's last report. It counts as off as soon as the person switches it off.
    public var wifiIsOn: Bool { state.withLock { $0.wifiIsOn } }

    /// Whether a radio's switch in Settings is off.
    func isSwitchedOff(_ radio: RadioSwitch) -> Bool { state.withLock { $0.switchedOff.contains(radio) } }

    func setIsOn(_ radio: RadioSwitch, _ isOn: Bool) {
        state.withLock { state in
            switch radio {
            case .bluetooth: state.bluetoothIsOn = isOn
            case .wifi: state.wifiIsOn = isOn
            }
        }
    }

    func setSwitch(_ radio: RadioSwitch, _ isOn: Bool) {
        state.withLock { state in
            if isOn { state.switchedOff.remove(radio) } else { state.switchedOff.insert(radio) }
        }
    }

    /// Whether the person may add accessories; false if a parental or device restriction forbids it.
    package var canAddAccessories: Bool {
        get { state.withLock { $0.canAddAccessories } }
        set { state.withLock { $0.canAddAccessories = newValue } }
    }

    /// The screens that are open now, topmost last.
    public var screen: [Screen] { display.screens }

    /// Appends an event to ``log``, with the current time.
    package func record(_ kind: PhoneEvent.Kind) {
        if case .rigFailure = kind, state.withLock({ $0.isOff }) { return }
        recorder(kind)
    }

    /// The phone's only part of type `Part`. The first call makes it.
    package func part<Part: PhoneComponent>(_ type: Part.Type = Part.self) -> Part {
        parts.withLock { parts in
            if let part = parts[ObjectIdentifier(type)] as? Part { return part }
            let part = Part(phone: self)
            parts[ObjectIdentifier(type)] = part
            return part
        }
    }

    /// Ends the running app, and only that one if `which` is given.
    ///
    /// - Parameter ending: How, as far as Bluetooth may launch it again; nil for good.
    func endApp(_ which: RunningApp? = nil, by ending: RelaunchCondition?, _ what: String) {
        let ended = state.withLock { state -> RunningApp? in
            guard let app = state.app, which == nil || app === which else { return nil }
            state.app = nil
            state.endings += 1
            return app
        }
        guard let ended else { return }
        ended.end(by: ending)
        record(.app(ended.bundle.identifier, what))
        forEachPart { $0.ended(ended) }
        store.ended(ended.bundle.identifier)
        ended.release()
        state.withLock { $0.endings -= 1 }
        forEachPart { $0.released(ended) }
    }

    /// Switches the phone off and ends the running app. Errors of the radio after this are no longer rig faults.
    package func switchOff() {
        state.withLock { $0.isOff = true }
        endApp(by: nil, "was terminated")
        forEachPart { $0.switchedOff() }
    }

    /// Whether the phone may launch an app by itself: none runs, none is ending, and the phone is on.
    var isFree: Bool { state.withLock { $0.isFree } }

    /// Makes this the running app, in place of the one that runs.
    ///
    /// - Returns: False for an app that the phone launches by itself, if another one runs.
    func run(_ app: RunningApp) -> Bool {
        app.onForegroundChange { [weak self, weak app] in
            guard let app else { return }
            self?.forEachPart { $0.foregroundChanged(of: app) }
        }
        while true {
            let isRunning = state.withLock { state in
                guard app.launchReason == nil ? state.app == nil : state.isFree else { return false }
                state.app = app
                state.appNames[app.bundle.identifier] = app.name
                return true
            }
            if isRunning { break }
            if app.launchReason != nil { return false }
            makeRoom(for: app)
        }
        let words = LaunchWords.words(version: app.propertyList.version, reason: app.launchReason)
        record(.app(app.bundle.identifier, words))
        return true
    }

    /// Adds to ``nearMisses`` what is known outside the phone, such as what the air has captured.
    package func explainNearMisses(_ explain: @escaping @Sendable ([NearMiss]) -> [NearMiss]) {
        state.withLock { $0.explainMisses = explain }
    }

    /// The near misses with what is known outside the phone.
    func explained(_ misses: [NearMiss]) -> [NearMiss] { state.withLock { $0.explainMisses }?(misses) ?? misses }

    /// Calls `body` with the place of each later call that may throw: file identifier, path, line.
    package func onCallSite(_ body: @escaping @Sendable (String, String, Int) -> Void) {
        state.withLock { $0.onCallSite = body }
    }

    func recordCallSite(_ fileID: String, _ filePath: String, _ line: Int) {
        state.withLock { $0.onCallSite }?(fileID, filePath, line)
    }

    /// Calls `body` with each event of Core Bluetooth for an app, and the app's identifier.
    package func onTold(_ body: (@Sendable (String, CentralEvent) -> Void)?) { state.withLock { $0.onTold = body } }

    func noteTold(_ app: String, _ event: CentralEvent) { state.withLock { $0.onTold }?(app, event) }

    /// Queues an input, to be handled after those before it.
    func feed(_ input: PhoneInput) { inputs.yield(input) }

    private func receive(_ input: PhoneInput) {
        switch input {
        case .radio(let event):
            // First the state, then the log: a reader who finds the event in the log sees the new state.
            forEachPart { $0.learn(event) }
            switch event {
            case .bluetoothPower(let isOn): setIsOn(.bluetooth, isOn)
            case .wifiPower(let isOn): setIsOn(.wifi, isOn)
            default: break
            }
            record(.radio(event))
            tell(event)
        case .switchedOff(let radio, let heard):
            let event = radio == .bluetooth ? RadioEvent.bluetoothPower(false) : .wifiPower(false)
            forEachPart { $0.learn(event) }
            tell(event)
            heard()
        }
    }

    private func tell(_ event: RadioEvent) {
        if case .addressChanged(let old, let new) = event {
            identifiers.move(old, to: new) { store.holds(bluetoothIdentifier: $0) }
        }
        discovery.receive(event)
        part(PairingPrompts.self).receive(event)
        forEachPart { if !($0 is PairingPrompts) { $0.receive(event) } }
    }

    /// The parts that are in use.
    var components: [any PhoneComponent] { parts.withLock { Array($0.values) } }

    func forEachPart(_ body: (any PhoneComponent) -> Void) {
        for part in components { body(part) }
    }
}

/// Returns a closure that gives the time since this call, by any clock.
func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
