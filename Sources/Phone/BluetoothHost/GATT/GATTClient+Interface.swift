import RadioModel

/// Names an action of a ``GATTClient``.
package struct GATTRequestID: Sendable, Hashable {
    let number: Int
}

extension GATTClient {
    /// The values that differ between phones.
    package struct Configuration: Sendable, Hashable {
        /// When the client subscribes to Service Changed by itself.
        package enum ServiceChangedSubscription: Sendable, Hashable {
            case never
            case whenBonded
            case always
        }

        package var habits = GATTHabits()
        /// An iPhone subscribes by itself: h2zero/esp-nimble-cpp#163.
        package var subscribesToServiceChanged: ServiceChangedSubscription = .whenBonded
        /// For how long after a bonding no subscription is written.
        package var pauseAfterBonding: Duration = .zero
        /// The same after the first answer that follows the bonding, if that is earlier: it shows that the accessory has
        /// the phone's keys.
        package var pauseAfterKeys: Duration = .zero
        /// Whether, with a bond, Service Changed before encryption is neither confirmed nor obeyed until encryption.
        /// An iPhone does not confirm it: weliem/bluez_inc#117.
        package var withholdsServiceChanged = true
        /// The errors that better protection may cure.
        package var protectionErrors: Set<ATTError> = [
            .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
        ]
        /// How often one refused request is repeated: once after encryption with the bond's key, once after pairing.
        /// Assumed.
        package var mostRetries = 2
        /// Whether all other actions wait while one waits for protection; they always wait for a half-sent long write.
        /// Assumed.
        package var waitsForProtection = true
        /// Whether the services of a server without Service Changed are kept for the next link.
        /// nordicsemi/IOS-nRF-Connect#30, ukBaz/python-bluezero#405.
        package var keepsTables = true
        /// How many unknown handles get a note for their values.
        package var mostNotedHandles = 64

        package init() {}
    }

    /// A GATT procedure with its arguments. Services are named by their first handle, characteristics by the handle of
    /// their value.
    package enum Action: Sendable, Hashable {
        case exchangeMTU
        /// All primary services, or those with these UUIDs.
        case discoverServices([BluetoothUUID]?)
        case discoverSecondaryServices
        case discoverIncluded(service: UInt16)
        /// All characteristics of the service, or those with these UUIDs.
        case discoverCharacteristics(service: UInt16, [BluetoothUUID]?)
        case discoverDescriptors(characteristic: UInt16)
        /// Reads a characteristic's value or a descriptor.
        case read(UInt16)
        case readByType(BluetoothUUID, in: HandleRange)
        /// - Parameter isVariable: Whether the answer has the length of each value.
        case readMultiple([UInt16], isVariable: Bool)
        case readFeature(GATTFeature)
        /// Writes a characteristic's value or a descriptor, in pieces if it is long.
        case write(UInt16, [UInt8])
        /// Writes several values, all or none.
        case writeReliably([HandleValue])
        case setNotifying(characteristic: UInt16, Bool)
        case subscribeToServiceChanged
        /// One request as it is. A refusal is its result: no better protection is asked for.
        case request(ATTPDU)
    }

    package enum Output: Sendable, Hashable {
        /// A PDU for the server.
        case send([UInt8])
        /// Each action has one result.
        case completed(GATTRequestID, GATTResult)
        /// The server demands better protection. The action waits for ``GATTClient/retry(_:over:at:)`` or
        /// ``GATTClient/giveUp(_:over:at:)``.
        case needsProtection(GATTRequestID, ATTError)
        case value(handle: UInt16, [UInt8], isIndication: Bool)
        /// The table has forgotten the services in these handles.
        case servicesChanged(HandleRange)
        /// The MTU of the bearer, in bytes.
        case mtuChanged(Int)
        /// The server broke the protocol.
        case violation(String)
        /// The bearer cannot be used any longer.
        case linkMustEnd(String)
        /// Something odd without harm.
        case note(String)
    }

    /// An action on its way.
    struct Job: Sendable {
        let id: GATTRequestID
        let action: Action
        /// Whether the client began it itself, so that nobody waits for its result.
        var isOwn = false
        var procedure: (any GATTProcedure)?
        var token: AttributeClient.Token?
        /// How many findings of the procedure the table has.
        var learned = 0
        /// The next step after a wait for protection.
        var pending: GATTStep?
        /// The last request, for another try.
        var request: GATTStep?
        /// The refusal that waits for better protection.
        var refusal: GATTFailure?
        /// How often the last request was repeated.
        var retries = 0
        /// Whether its result is decided, and it only cancels what it began.
        var isEnding = false
        /// Why the answer to the outstanding request no longer counts.
        var abandonment: GATTFailure?

        /// Whether a step of it writes a Client Characteristic Configuration.
        func subscribes(by step: GATTStep?) -> Bool {
            guard case .request(.writeRequest, _)? = step else { return false }
            switch action {
            case .setNotifying, .subscribeToServiceChanged: return true
            default: return false
            }
        }
    }
}
