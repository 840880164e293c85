import BoardProtocol
import Foundation
import HostRadio
import RadioModel
import Synchronization
import Timing

/// The simulated phone: a person, a screen, apps, authorisations, and a radio that it does not know more of than
/// ``HostRadio/HostRadio`` says.
///
/// Apple's frameworks find the phone that they run on through ``current``. What happens is in ``log``.
public final class Phone: Sendable {
    /// The radios. The phone is the only consumer of their events; a part gets them through ``PhonePart/receive(_:)``.
    public let radio: any HostRadio
    /// What measures every wait of the phone.
    public let clock: any Clock<Duration>
    /// Who holds the phone.
    public let person: Person
    /// What the person sees.
    public let display: Display
    /// Which app may speak to which accessory; outlives the apps.
    public let store: AuthorizationStore
    /// Device addresses and the identifiers that apps know instead.
    public let identifiers = IdentifierMap()
    /// LE discovery, shared by everything on the phone that listens.
    public let discovery: DiscoveryLease
    /// How many advertisements ``log`` keeps. A radio repeats each several times a second.
    static let keptAdvertisements = 4000
    /// What happened on the phone, in order. Of advertisements the last ones are kept, of everything else all.
    public let log: EventLog<PhoneEvent>
    /// When the phone was switched on, by the wall clock: ``PhoneEvent/at`` counts from here.
    public let switchedOn = Date()

    private struct State {
        var policy: HostPolicy
        var app: RunningApp?
        var bluetoothIsOn = true
        var wifiIsOn = true
        /// Takes where something is asked of the phone: file identifier, path, line.
        var onCall: (@Sendable (String, String, Int) -> Void)?
        /// What the person has switched off in Settings.
        var switchedOff: Set<RadioSwitch> = []
        var canAddAccessories = true
        var pumps: [Task<Void, Never>] = []
        var isOff = false
    }

    private let state: Mutex<State>
    private let parts = Mutex<[ObjectIdentifier: any PhonePart]>([:])
    private let recorder: @Sendable (PhoneEvent.Kind) -> Void
    private let inputs: AsyncStream<PhoneInput>.Continuation

    /// Switches a phone on.
    ///
    /// - Parameters:
    ///   - radio: Its radios, powered.
    ///   - policy: What to do where Apple documents nothing.
    public init(radio: any HostRadio, policy: HostPolicy = HostPolicy(), clock: any Clock<Duration> = ContinuousClock())
    {
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
        person.onNewIntention { [weak display] in display?.settle() }
        store.onChange { [weak self] app in
            self?.forEachPart { $0.authorizationsChanged(of: app) }
            self?.display.settle()
        }
        display.onSettle { [weak self] in self?.part(SettingsApp.self).openIfWanted(over: $0) }
        let pump = Task { [weak self] in
            for await input in stream { self?.receive(input) }
        }
        let radioPump = Task { for await event in radio.events { inputs.yield(.radio(event)) } }
        state.withLock { $0.pumps = [pump, radioPump] }
    }

    deinit { for pump in state.withLock({ $0.pumps }) { pump.cancel() } }

    /// What to do where Apple documents nothing; a change holds for what begins after it.
    public var policy: HostPolicy {
        get { state.withLock { $0.policy } }
        set { state.withLock { $0.policy = newValue } }
    }

    /// The app that is running, in the foreground or in the background.
    public var app: RunningApp? { state.withLock { $0.app } }

    /// Whether Bluetooth is on: as the radio last told, and off from the moment when the person switches it off.
    public var bluetoothIsOn: Bool { state.withLock { $0.bluetoothIsOn } }

    /// Whether Wi-Fi is on; see ``bluetoothIsOn``.
    public var wifiIsOn: Bool { state.withLock { $0.wifiIsOn } }

    /// Whether the person has switched a radio off in Settings, and not on again.
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

    /// Whether the person may add accessories; false where a parental or device restriction forbids it.
    public var canAddAccessories: Bool {
        get { state.withLock { $0.canAddAccessories } }
        set { state.withLock { $0.canAddAccessories = newValue } }
    }

    /// What the person sees now, topmost last.
    public var screen: [Screen] { display.screens }

    /// Notes in ``log`` that something happened now.
    public func record(_ kind: PhoneEvent.Kind) {
        if case .rigFault = kind, state.withLock({ $0.isOff }) { return }
        recorder(kind)
    }

    /// The one part of this phone of type `Part`, made when it is first asked for.
    public func part<Part: PhonePart>(_ type: Part.Type = Part.self) -> Part {
        parts.withLock { parts in
            if let part = parts[ObjectIdentifier(type)] as? Part { return part }
            let part = Part(phone: self)
            parts[ObjectIdentifier(type)] = part
            return part
        }
    }

    /// Ends the running app, as a swipe in the app switcher does; its sessions hear nothing more.
    ///
    /// - Parameter bySystem: Whether the system ends it instead, for want of memory: what central managers with a restore
    ///   identifier have then goes on, and is given to the app when it is launched again.
    public func terminateApp(bySystem: Bool = false) {
        let ended = state.withLock { state in
            defer { state.app = nil }
            return state.app
        }
        guard let ended else { return }
        ended.end(bySystem: bySystem)
        record(.app(ended.bundle.identifier, bySystem ? "was ended by the system" : "was terminated"))
        forEachPart { $0.ended(ended) }
        ended.letGo()
        forEachPart { $0.released(ended) }
    }

    /// Ends the phone, and with it the app that runs; what that still asks of the radio is nobody's fault any more.
    public func switchOff() {
        state.withLock { $0.isOff = true }
        terminateApp()
    }

    func run(_ app: RunningApp) {
        terminateApp()
        state.withLock { $0.app = app }
        record(.app(app.bundle.identifier, "was launched"))
    }

    /// Has `body` told where something is asked of the phone that may throw: file identifier, path, line.
    package func onCall(_ body: @escaping @Sendable (String, String, Int) -> Void) {
        state.withLock { $0.onCall = body }
    }

    func noteCall(_ fileID: String, _ filePath: String, _ line: Int) {
        state.withLock { $0.onCall }?(fileID, filePath, line)
    }

    /// Has this dealt with after what came before.
    func feed(_ input: PhoneInput) { inputs.yield(input) }

    private func receive(_ input: PhoneInput) {
        switch input {
        case .radio(let event):
            // Who finds the event in the log finds the phone so.
            switch event {
            case .bluetoothPower(let isOn): setIsOn(.bluetooth, isOn)
            case .wifiPower(let isOn): setIsOn(.wifi, isOn)
            default: break
            }
            record(.radio(event))
            tell(event)
        case .switchedOff(let radio, let heard):
            tell(radio == .bluetooth ? .bluetoothPower(false) : .wifiPower(false))
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

    private func forEachPart(_ body: (any PhonePart) -> Void) {
        for part in parts.withLock({ Array($0.values) }) { body(part) }
    }
}

/// The time since this call, whatever the clock.
private func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
