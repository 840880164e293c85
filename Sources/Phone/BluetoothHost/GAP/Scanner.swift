import RadioModel

/// Scans for advertisements for as long as somebody wishes it.
///
/// The owner may hold the scan for a moment, while the controller cannot scan: for a new address, or for a connection.
/// Without power nothing is scanned, and the wish is forgotten.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64 and 7.8.65.
package struct Scanner: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// How long advertisements wait for their other parts.
        package var reports = ReportAssembler.Configuration()
        /// Of how many devices the last advertisement is kept.
        package var mostDevices = 512
        /// The pauses after the controller's refusal to scan.
        package var retry = RetryPause()

        package init() {}
    }

    package enum Output: Sendable, Equatable {
        case command(HCICommand, CommandPurpose)
        case heard(Discovery)
        /// The controller refused to begin or end a scan: plain words. The scanner tries again.
        case refused(String)
    }

    enum Step: Sendable {
        case setParameters(ScanOrder)
        case enable(ScanOrder)
        case disable
    }

    let configuration: Configuration
    /// The wish; nil for no scan.
    package private(set) var settings: ScanSettings?
    /// The scan for a device that an attempt to connect waits for; nil for none. The wish counts more.
    private var search: ScanSettings?
    /// Nil without power.
    private var abilities: ControllerAbilities?
    private var ownAddress: OwnAddress?
    private var isHeld = false
    /// What the controller was told last.
    private var prepared: ScanOrder?
    /// The scan of the controller.
    private var running: ScanOrder?
    private var pending = PendingCommands<Step>(of: .scanner)
    private var retry: RetryTimer
    var assembler: ReportAssembler?
    var devices: RecentTable<PeerAddress, HeardDevice>

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        retry = RetryTimer(configuration.retry)
        devices = RecentTable(limit: configuration.mostDevices)
    }

    /// Whether the controller does not scan, and has answered all commands about scans.
    package var isQuiet: Bool { running == nil && pending.isEmpty }
    package var isScanning: Bool { running != nil }

    /// When something is due.
    package var deadline: Duration? {
        let due = pending.isEmpty && running != wanted ? retry.end : nil
        return [assembler?.deadline, due].compactMap { $0 }.min()
    }

    private var wanted: ScanOrder? {
        guard abilities != nil, !isHeld, let settings = settings ?? search, let ownAddress else { return nil }
        return ScanOrder(settings: settings, ownAddress: ownAddress)
    }
}

// The wish and the controller.
extension Scanner {
    /// The controller is ready, and scans nothing.
    package mutating func powerOn(_ abilities: ControllerAbilities) {
        powerOff()
        self.abilities = abilities
    }

    /// The controller scans no more.
    package mutating func powerOff() {
        (abilities, ownAddress, settings, search, isHeld) = (nil, nil, nil, nil, false)
        (prepared, running, assembler) = (nil, nil, nil)
        pending.removeAll()
        retry.succeeded()
        devices.removeAll()
    }

    /// The kind of this phone's address in scan requests; nil if it has none yet.
    ///
    /// - Parameter isHeld: Whether the scan is held for a moment.
    package mutating func use(_ ownAddress: OwnAddress?, isHeld: Bool, at now: Duration) -> [Output] {
        (self.ownAddress, self.isHeld) = (ownAddress, isHeld)
        return step(at: now)
    }

    /// Begins a scan, changes its settings, or ends it with nil.
    package mutating func scan(_ settings: ScanSettings?, at now: Duration) -> [Output] {
        guard abilities != nil, settings != self.settings else { return [] }
        change { $0.settings = settings }
        retry.succeeded()
        return step(at: now)
    }

    /// Begins or ends a scan that serves an attempt to connect. What it hears is not for the layers above.
    package mutating func search(_ settings: ScanSettings?, at now: Duration) -> [Output] {
        guard abilities != nil, settings != search else { return [] }
        change { $0.search = settings }
        return step(at: now)
    }

    /// Makes another assembler if scans become active or passive.
    private mutating func change(_ body: (inout Scanner) -> Void) {
        let before = (settings ?? search)?.isActive
        body(&self)
        let isActive = (settings ?? search)?.isActive
        guard isActive != before else { return }
        assembler = isActive.map { ReportAssembler(isActive: $0, configuration: configuration.reports) }
    }

    /// The controller ended the scan by itself.
    package mutating func scanEnded(at now: Duration) -> [Output] {
        running = nil
        return step(at: now)
    }

    /// Takes the result of a command.
    package mutating func completed(_ purpose: CommandPurpose, _ status: HCIError, at now: Duration) -> [Output] {
        guard let done = pending.end(purpose) else { return [] }
        var outputs: [Output] = []
        if !status.isSuccess {
            outputs.append(.refused(HCICommand.refusal(of: name(of: done), status)))
            retry.refused(at: now)
        }
        switch (done, status.isSuccess) {
        case (.setParameters(let order), true): prepared = order
        case (.setParameters, false), (.enable, false): prepared = nil
        case (.enable(let order), true):
            running = order
            retry.succeeded()
        // After a refusal there is no scan that could be ended.
        case (.disable, _): running = nil
        }
        return outputs + step(at: now)
    }

    /// Tries again after a refusal, if it is time.
    mutating func step(at now: Duration) -> [Output] {
        guard pending.isEmpty, let abilities, running != wanted else { return [] }
        if let running { return [.command(enabling(false, running, abilities), pending.begin(.disable))] }
        guard let wanted, retry.allowsTry(at: now) else { return [] }
        retry.began()
        if prepared == wanted { return [.command(enabling(true, wanted, abilities), pending.begin(.enable(wanted)))] }
        let parameters = wanted.parameters
        let command: HCICommand =
            abilities.usesExtendedCommands ? .leSetExtendedScanParameters(parameters) : .leSetScanParameters(parameters)
        return [.command(command, pending.begin(.setParameters(wanted)))]
    }

    private func enabling(_ isOn: Bool, _ order: ScanOrder, _ abilities: ControllerAbilities) -> HCICommand {
        let drops = order.settings.dropsDuplicates
        return abilities.usesExtendedCommands
            ? .leSetExtendedScanEnable(isOn, dropsDuplicates: drops) : .leSetScanEnable(isOn, dropsDuplicates: drops)
    }

    private func name(of step: Step) -> String {
        let isExtended = abilities?.usesExtendedCommands == true
        return switch step {
        case .setParameters:
            isExtended ? HCIOpcode.leSetExtendedScanParameters.name : HCIOpcode.leSetScanParameters.name
        case .enable, .disable: isExtended ? HCIOpcode.leSetExtendedScanEnable.name : HCIOpcode.leSetScanEnable.name
        }
    }
}
