extension Rule {
    /// Accessory setup: property list, descriptors, picker, authorisation, events, migration, custom filtering.
    static let setup: [Rule] = [
        Rule(
            "P1", [.seed, .seen],
            """
            `NSAccessorySetupSupports` (also spelt `NSAccessorySetupKitSupports`: accept both) lists `Bluetooth` \
            and/or `WiFi`. Without it the app crashes at the first call of the framework. A key that Apple does not have \
            is ignored.
            """),
        Rule(
            "P2", [.seed, .seen],
            """
            A service UUID in a descriptor that is not declared in `NSAccessorySetupBluetoothServices` crashes \
            the app at `showPicker`.
            """),
        Rule(
            "P3", [.seed, .seen],
            """
            A name substring in a descriptor that is not declared in `NSAccessorySetupBluetoothNames` crashes \
            the app at `showPicker`.
            """),
        Rule(
            "P4", [.seed, .seen],
            """
            A company identifier in a descriptor that is not declared in \
            `NSAccessorySetupBluetoothCompanyIdentifiers` crashes the app at `showPicker`. Company identifiers \
            are hexadecimal strings, also those without a letter: “1177” is 0x1177. A number is accepted too.
            """),
        Rule(
            "P5", [.seen],
            """
            UUIDs are compared in their 128-bit form; a lower-case one in the list is a warning in the report.
            """),
        Rule(
            "P6", [.seed],
            """
            A Wi-Fi descriptor without `WiFi` declared crashes the app at `showPicker`.
            """),
        Rule(
            "P7", [.seen],
            """
            Prompts and Settings show an app's `CFBundleDisplayName`, or else its `CFBundleName`, with build settings \
            such as `$(PRODUCT_NAME)` replaced. An app without either is a warning.
            """),
        Rule(
            "P8", [.seed, .header],
            """
            The keychain belongs to the phone: an app that is launched again finds its items, and no other app's. An access \
            group that the app's entitlements cannot name is errSecMissingEntitlement (-34018); a second item with the same \
            primary key is errSecDuplicateItem (-25299).
            """),
        Rule(
            "P9", [.seed, .seen],
            """
            The main queue, the main actor and the main run loop of an app are one thread. A timer fires on the run loop of \
            the thread that scheduled it: never, if that is a thread of another queue.
            """),
        Rule(
            "P10", [.seed, .open],
            """
            An app has its own main bundle, user defaults and folders, which no other app sees. A relaunch keeps them; whoever \
            deletes the app deletes them, but not its items of the keychain [these stay].
            """),
        Rule(
            "D1", [.seed, .open],
            """
            A Bluetooth descriptor needs a service UUID or a company identifier. Whether it also needs a name, a \
            blob or an SSID is open: one seed says so and its own listing does not do it [not needed].
            """),
        Rule(
            "D2", [.seed],
            """
            A blob and its mask come together and have equal length; manufacturer data needs the company \
            identifier, service data the service UUID. Else the app crashes at `showPicker`.
            """),
        Rule(
            "D3", [.seed],
            """
            `ssid` and `ssidPrefix` are never both set, and a prefix is not empty: else a crash.
            """),
        Rule(
            "D4", [.seen],
            """
            All criteria of one descriptor must match; several items are alternatives.
            """),
        Rule(
            "D5", [.seen],
            """
            A service UUID matches the advertised list or a service-data key.
            """),
        Rule(
            "D6", [.seen, .open],
            """
            Masked data: `(advertised & mask) == blob`; the blob may be shorter than the payload [prefix]; the other \
            choice is an exact length.
            """),
        Rule(
            "D7", [.seed, .open],
            """
            The name is matched as a substring of the over-the-air name under \
            `bluetoothNameSubstringCompareOptions` [case-sensitive without options].
            """),
        Rule(
            "D8", [.seed, .open],
            """
            `immediate` matches only a strong signal [RSSI ≥ −50 dBm, taken over 3 reports].
            """),
        Rule(
            "D9", [.seed],
            """
            Wi-Fi items match a scanned network by exact SSID or by prefix.
            """),
        Rule(
            "D10", [.seed],
            """
            Wi-Fi Aware: service name, role (default subscriber), model and vendor matches with compare options; \
            an item with them is matched against Wi-Fi Aware publications on the air.
            """),
        Rule(
            "D11", [.seen],
            """
            An accessory whose advertisement lacks the flag “BR/EDR Not Supported”, and that its app does not bridge, is a \
            warning. iPhones still connect by LE; other hosts, such as those with BlueZ, try classic Bluetooth and fail.
            """),
        Rule(
            "K1", [.seed],
            """
            `pickerDidPresent` when the picker is shown. One entry for each device; several for one item make a \
            carousel.
            """),
        Rule(
            "K2", [.seed],
            """
            Nothing found in the timeout: the screen says so, then the completion gets discoveryTimeout, and \
            `pickerDidDismiss` is sent.
            """),
        Rule(
            "K3", [.header],
            """
            A second `showPicker` while the picker is up: pickerAlreadyActive.
            """),
        Rule(
            "K4", [.header],
            """
            App in the background: pickerRestricted.
            """),
        Rule(
            "K5", [.seen],
            """
            The person closes the picker: userCancelled in the completion, and `pickerDidDismiss`.
            """),
        Rule(
            "K6", [.header],
            """
            The person is not allowed to add accessories (parental or device restriction): userRestricted.
            """),
        Rule(
            "K7", [.header, .open],
            """
            No items, or items that can never match: invalidRequest [this reading].
            """),
        Rule(
            "K8", [.seed],
            """
            `invalidate()` while the picker is up: invalidated in the completion, the `invalidated` event, nothing \
            afterwards; a later call on that session has no effect, and its completion gets invalidated.
            """),
        Rule(
            "K9", [.seed],
            """
            `showPicker()` without items and without an app extension: extensionNotFound.
            """),
        Rule(
            "K10", [.header, .seen],
            """
            The accessory vanishes, or pairing fails: `pickerSetupFailed` carrying the error, then \
            connectionFailed.
            """),
        Rule(
            "K11", [.seed, .seen],
            """
            `accessoryAdded` before `pickerDidDismiss`; the completion and the dismissal may come in either \
            order [completion last; `Axis.pickerEnd` runs a scenario in both].
            """),
        Rule(
            "K12", [.seed],
            """
            `pickerSetupPairing` while pairing, `pickerSetupBridging` while bridging, `pickerSetupRename` while \
            renaming.
            """),
        Rule(
            "K13", [.header],
            """
            An accessory that another app has already set up shows the name and picture it got then.
            """),
        Rule(
            "K14", [.seed],
            """
            Already authorised accessories of this app are not offered; a Wi-Fi accessory that was renamed since is \
            offered again.
            """),
        Rule(
            "K15", [.seed],
            """
            A picker that the app shows without an action of the person is a warning in the report.
            """),
        Rule(
            "K16", [.header, .open],
            """
            Before activation, or activated twice: activationFailed [this reading].
            """),
        Rule(
            "K17", [.seed],
            """
            The picture is shown in a 180×120 point frame; a picture with an opaque background is a warning.
            """),
        Rule(
            "K18", [.open],
            """
            A radio is off, or is switched off while the picker is up: the picker says which radio to turn on, offers \
            no accessory that needs it, and continues to search once it is on [this reading]. Pairing and bridging are \
            cancelled and the link is closed before Bluetooth is off; the set-up has failed (K10), and neither end \
            keeps half a bond.
            """),
        Rule(
            "K19", [.seen, .open],
            """
            An accessory that can only show a number, or only take one: the phone asks for the number, or shows it. A \
            wrong number and Cancel make pairing fail. An accessory that can do neither is paired without a question.
            """),
        Rule(
            "O1", [.seed],
            """
            `.rename`: the person may rename; `displayName` changes; with `renameOptions = .ssid` the SSID \
            changes too.
            """),
        Rule(
            "O2", [.seed, .header],
            """
            `.confirmAuthorization`: state awaitingAuthorization until the app calls `finishAuthorization` or \
            `failAuthorization`; with bluetoothPairingLE the app starts pairing by touching a protected \
            characteristic.
            """),
        Rule(
            "O3", [.seed],
            """
            `.finishInApp`: the picker tells the person to continue in the app.
            """),
        Rule(
            "A1", [.seed],
            """
            `accessories` holds the authorised accessories, after `activated`, and after the app is launched again.
            """),
        Rule(
            "A2", [.seed],
            """
            `finishAuthorization(for:settings:)` adds the SSID, or the 6-byte bridging identifier; with the latter the \
            phone bridges the accessory to classic Bluetooth [this reading].
            """),
        Rule(
            "A3", [.seed],
            """
            `failAuthorization` removes the accessory again; the picker shows the failure.
            """),
        Rule(
            "A4", [.seed],
            """
            `updateAuthorization(for:descriptor:)` shows the person an upgrade screen and adds the technology.
            """),
        Rule(
            "A5", [.seed, .seen],
            """
            `removeAccessory` asks the person, deletes the bond on the phone, sends `accessoryRemoved`.
            """),
        Rule(
            "A6", [.seed],
            """
            `renameAccessory(_:options:)` shows a screen; then `accessoryChanged`.
            """),
        Rule(
            "A7", [.seed],
            """
            Removal or renaming by the person in Settings sends the same events.
            """),
        Rule(
            "A8", [.open],
            """
            An `ASAccessory` that an app holds keeps its values; events and `accessories` give new objects, which are equal \
            to it [this reading]. An accessory that is removed and set up again is another one.
            """),
        Rule(
            "E1", [.seed],
            """
            `activated` soon after `activate`; every event on the given queue, in order.
            """),
        Rule(
            "E2", [.seed],
            """
            `accessory` is set for accessory events, not for lifecycle and picker events; `error` is set if \
            something failed.
            """),
        Rule(
            "E3", [.seed],
            """
            `invalidate()` releases the handler; a session that its own handler keeps alive is a warning (retain \
            cycle).
            """),
        Rule(
            "M1", [.seed, .seen],
            """
            Only migration items: an information page, no discovery; `migrationComplete`; whether \
            `pickerDidDismiss` follows is open [no].
            """),
        Rule(
            "M2", [.seed],
            """
            Migration items mixed with others: they migrate only when a new accessory is found and set up.
            """),
        Rule(
            "M3", [.seed, .seen],
            """
            A CBCentralManager is made before migration is complete: an error (pickerRestricted), and no picker.
            """),
        Rule(
            "M4", [.seed],
            """
            Migration is by peripheral identifier, by full SSID (not a prefix), by both, or by Wi-Fi Aware device.
            """),
        Rule(
            "M5", [.seed],
            """
            After migration the accessories are in `accessories`, authorised; they get no rights beyond those \
            migrated.
            """),
        Rule(
            "F1", [.seed],
            """
            With `filterDiscoveryResults`, a match sends `accessoryDiscovered` with an ASDiscoveredAccessory \
            (advertisement data, RSSI) and is not shown.
            """),
        Rule(
            "F2", [.seed],
            """
            `updatePicker(showing:)` shows such an accessory with its own name and picture.
            """),
        Rule(
            "F3", [.seed],
            """
            `unbounded` never times out; `finishPickerDiscovery` shows the timeout message if nothing \
            was added, returns silently if something was, and has no effect after an update.
            """),
        Rule(
            "F4", [.seed, .open],
            """
            The number of accessories exposed in one discovery is limited [20].
            """),
    ]
}
