import Foundation

extension SetupSession {
    /// How long a picker looks for accessories.
    package enum Timeout: Sendable, Hashable {
        /// ``HostPolicy/discoveryTimeout``.
        case standard
        case limited(Duration)
        /// Until the app or the person ends it.
        case unbounded
    }

    /// An app's settings for its picker; the phone's side of `ASPickerDisplaySettings`.
    package struct PickerSettings: Sendable, Hashable {
        package var timeout: Timeout
        /// Whether the app gets matches first and decides which are shown (F1).
        package var filtersResults: Bool

        package init(timeout: Timeout = .standard, filtersResults: Bool = false) {
            self.timeout = timeout
            self.filtersResults = filtersResults
        }
    }

    /// Opens a picker for these kinds of accessories.
    ///
    /// Crashes the app where iOS does (P1 to P6, D2, D3).
    ///
    /// - Parameter completion: Called once, with nil when an accessory was set up or all accessories were migrated.
    package func showPicker(
        for items: [PickerItem], settings: PickerSettings = PickerSettings(), completion: @escaping Completion
    ) {
        note("showed a picker for \(items.map(\.name))")
        if let error = refusal() { return completion(error) }
        crashIfForbidden(items)
        for warning in SetupRules.warnings(in: items, declared: app.propertyList) {
            phone.record(.warning(rule: warning.rule, warning.reason))
        }
        warnIfUnasked()
        if let error = restriction(on: items) { return completion(error) }
        let run = PickerRun(configuration(for: items, settings), of: self, on: phone, completion: completion)
        guard setup.open(run) else { return completion(SetupError(.pickerAlreadyActive, "a picker is already open")) }
        run.start()
    }

    func crashIfForbidden(_ items: [PickerItem]) {
        guard let violation = SetupRules.violation(in: items, declared: app.propertyList) else { return }
        AppCrash.crash(violation.rule, violation.reason)
    }

    /// Warns if the person did not ask for the picker (K15).
    ///
    /// A scenario's calls of the app count as the person's. The app's own calls, during its launch or in a framework's
    /// callback, do not, unless the scenario says that the person tapped.
    private func warnIfUnasked() {
        let wasTapped = phone.person.takeTap()
        guard !wasTapped, app.isLaunching || Phone.isCallingApp else { return }
        let when = app.isLaunching ? "while it was launched" : "when a framework called it"
        phone.record(
            .warning(
                rule: "K15",
                "the app showed a picker \(when), and the person did not ask for it: show it when the person taps; "
                    + "if the person did tap, say so in the scenario with person.taps(…)"))
    }

    private func configuration(for items: [PickerItem], _ settings: PickerSettings) -> PickerMachine.Configuration {
        let policy = phone.policy
        let limit: Duration? =
            switch settings.timeout {
            case .standard: policy.discoveryTimeout
            case .limited(let limit): limit
            case .unbounded: nil
            }
        let known = phone.store.accessories(of: app.bundle.identifier)
        return PickerMachine.Configuration(
            items: items, timeout: limit, policy: policy, filters: settings.filtersResults,
            knownDevices: Set(known.compactMap(\.bluetoothIdentifier)), knownNetworks: known.compactMap(\.ssid),
            knownAwareDevices: Set(known.map(\.wifiAwareDevice)).subtracting([0]),
            identifier: phone.identifiers.identifier, awareDevice: { [setup] in setup.awareDevice($0) },
            isBluetoothOn: phone.bluetoothIsOn, isWiFiOn: phone.wifiIsOn,
            presentation: { [store = phone.store, app = app.bundle.identifier] device, ssid in
                store.presentation(device: device, ssid: ssid, besides: app)
            })
    }

    private func restriction(on items: [PickerItem]) -> SetupError? {
        if items.isEmpty { return SetupError(.invalidRequest, "the list of items is empty") }
        if let why = items.lazy.compactMap({ self.defect(of: $0) }).first {
            return SetupError(.invalidRequest, why)
        }
        if let error = restriction() { return error }
        if items.contains(where: { $0.migration != nil }), phone.bluetooth.hasCentral(app) {
            phone.warn(of: .centralBeforeMigration)
            return SetupError(
                .pickerRestricted, "a CBCentralManager was made before the migration: make it after migrationComplete")
        }
        return nil
    }

    /// Why no screen can be shown over the app; nil if one can.
    func restriction() -> SetupError? {
        if !phone.canAddAccessories { return SetupError(.userRestricted, "the person may not add accessories") }
        if !app.isInForeground { return SetupError(.pickerRestricted, "the app is in the background") }
        return nil
    }

    private func defect(of item: PickerItem) -> String? {
        if let why = SetupRules.defect(of: item, policy: phone.policy) { return why }
        guard let peripheral = item.migration?.peripheral, phone.identifiers.address(of: peripheral) == nil else {
            return nil
        }
        return "the peripheralIdentifier of “\(item.name)” is unknown to CoreBluetooth on this phone"
    }

    /// Opens the picker of the app's device discovery extension. No app has one here, so the completion gets
    /// `extensionNotFound` (K9).
    package func showPicker(completion: @escaping Completion) {
        note("showed the picker of its extension")
        completion(refusal() ?? SetupError(.extensionNotFound, "the app has no device discovery extension"))
    }

    /// Shows discovered accessories in the picker, with the names and pictures that the app gives them (F2).
    package func updatePicker(showing items: [FilteredItem], completion: @escaping Completion) {
        answer("showed \(items.map(\.item.name)) in its picker", completion) { $0.update(items) }
    }

    /// Ends a discovery that has no timeout. Has no effect once an accessory was found (F3).
    package func finishPickerDiscovery(completion: @escaping Completion) {
        answer("finished the picker's discovery", completion) { picker in
            picker.submit(.discoveryFinished)
            return nil
        }
    }

    /// Finishes an accessory's authorisation: the app says that it is ready (A2).
    ///
    /// - Parameter accessory: The accessory's ``AccessoryRecord/id``. Its state must be `awaitingAuthorization`.
    package func finishAuthorization(
        for accessory: UUID, settings: AuthorizationSettings, completion: @escaping Completion
    ) {
        if let error = refusal() { return completion(error) }
        if let identifier = settings.bridgingIdentifier, identifier.count != 6 {
            let reason = "a bridging identifier must have 6 bytes, not \(identifier.count)"
            return completion(SetupError(.invalidRequest, reason))
        }
        if let ssid = settings.ssid, !(1...32).contains(ssid.utf8.count) {
            return completion(SetupError(.invalidRequest, "an SSID must have 1 to 32 bytes, not \(ssid.utf8.count)"))
        }
        conclude(accessory, "finished an authorization", .finished(accessory, settings), completion)
    }

    /// Fails an accessory's authorisation: the app says that it cannot be set up (A3).
    ///
    /// - Parameter accessory: The accessory's ``AccessoryRecord/id``. Its state must be `awaitingAuthorization`.
    package func failAuthorization(for accessory: UUID, completion: @escaping Completion) {
        conclude(accessory, "failed an authorization", .failed(accessory), completion)
    }

    private func conclude(
        _ accessory: UUID, _ what: String, _ input: PickerMachine.Input, _ completion: @escaping Completion
    ) {
        let refusal = SetupError(.invalidRequest, "the accessory is not waiting for authorization")
        note(what)
        if let error = self.refusal() { return completion(error) }
        guard let picker = setup.picker(of: self) else { return completion(SetupSession.noPicker) }
        guard accessories.first(where: { $0.id == accessory })?.state == .awaitingAuthorization else {
            return completion(refusal)
        }
        // The app hears of it after it has happened, and not if the picker was closed before.
        picker.submit(input) { completion($0 ? nil : refusal) }
    }

    private static let noPicker = SetupError(.invalidRequest, "this session has no open picker")

    /// Runs `body` with the session's picker. Fails if none is open.
    private func answer(_ what: String, _ completion: Completion, _ body: (PickerRun) -> SetupError?) {
        note(what)
        if let error = refusal() { return completion(error) }
        guard let picker = setup.picker(of: self) else { return completion(SetupSession.noPicker) }
        completion(body(picker))
    }
}
