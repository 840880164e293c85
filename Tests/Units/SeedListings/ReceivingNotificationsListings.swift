import AccessoryNotifications
import AccessorySetupKit
import AccessoryTransportExtension
import CryptoKit
import Testing

// The listings of Apple's article "Receiving iOS notifications on an accessory", for P-256, with their ellipses
// replaced by code. They use the Swift 5 language mode, as in Apple's article: its handlers have variables although
// their protocol is Sendable. `@main` is left out, because a program can have only one.

struct DataProvider: AccessoryDataProvider {
    var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing {
            NotificationsForwarding {
                NotificationHandler()
            }
        }
    }
}

class NotificationHandler: AccessoryNotificationsHandler {
    var session: NotificationsForwarding.Session?

    func activate(for session: NotificationsForwarding.Session) {
        self.session = session
    }

    func addNotification(
        _ notification: AccessoryNotification,
        alertingContext: AlertingContext
    ) async throws -> Bool {
        // Check if the notification needs to alert.
        guard alertingContext.shouldAlert else {
            return false
        }
        // Extract and serialize notification data.
        let notificationData = serializeNotification(notification)
        // Create a message payload.
        let message = AccessoryMessage {
            AccessoryMessage.Payload(transport: .bluetooth, data: notificationData)
        }
        // Send the message payload to your accessory.
        try await session?.send(message: message)
        // Return true to indicate successful alerting.
        return true
    }

    func serializeNotification(_ notification: AccessoryNotification) -> Data {
        var data = Data()
        data.append(Data((notification.title ?? "").utf8))
        data.append(Data((notification.subtitle ?? "").utf8))
        data.append(Data((notification.body?.string ?? "").utf8))
        return data
    }

    func updateNotification(_ notification: AccessoryNotification) {
        let notificationData = serializeNotification(notification)
        let message = AccessoryMessage {
            AccessoryMessage.Payload(transport: .bluetooth, data: notificationData)
        }
        Task {
            try await session?.send(message: message)
        }
    }

    func removeNotification(identifier: AccessoryNotification.Identifier) {
        let removalData = Data(identifier.notificationIdentifier.utf8)
        let message = AccessoryMessage {
            AccessoryMessage.Payload(transport: .bluetooth, data: removalData)
        }
        Task {
            try await session?.send(message: message)
        }
    }

    func removeAllNotifications() {
        let clearData = Data()
        let message = AccessoryMessage {
            AccessoryMessage.Payload(transport: .bluetooth, data: clearData)
        }
        Task {
            try await session?.send(message: message)
        }
    }

    func messageHandler(_ message: AccessoryMessage) {
        // Handle messages from the accessory.
    }
}

struct TransportSecurity: AccessoryTransportSecurity {
    @AppExtensionPoint.Bind
    static var boundExtensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-transport-security")
    }
    func accept(sessionRequest: AccessorySecuritySession.Request) -> AccessorySecuritySession.Request.Decision {
        return sessionRequest.accept {
            SecurityEventHandler(session: sessionRequest.session)
        }
    }
}

class SecurityEventHandler: AccessorySecuritySession.EventHandler {
    private var session: AccessorySecuritySession
    private var keyMaterial: SecurityMessage?
    private var publicKeyData: Data?
    private var privateKeyData: Data?

    init(session: AccessorySecuritySession) {
        self.session = session
    }

    func messageReceived(
        _ message: SecurityMessage,
        completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        switch message.keyType {
        case .encapsulatedKey:
            handleKeyExchange(message: message, completion: completion)
        default:
            completion(.success)
        }
    }

    // Cleans up key material.
    func sessionInvalidated(error: (any Error)?) {
        keyMaterial = nil
        privateKeyData = nil
        publicKeyData = nil
    }

    func handleKeyRequest() {
        do {
            // Generate a P256 key pair.
            let privateKey = P256.KeyAgreement.PrivateKey()
            let accessoryPrivateKey = privateKey.rawRepresentation
            let accessoryPublicKey = privateKey.publicKey.rawRepresentation
            privateKeyData = accessoryPrivateKey
            publicKeyData = accessoryPublicKey
            // Send public key to the system.
            let message = SecurityMessage(
                keyType: .publicKey,
                cipherSuite: .p256,
                version: .version1,
                key: accessoryPublicKey,
                supportedTransports: [.bluetooth]
            )
            try session.sendSecurityMessage(message)
        } catch {
            session.cancel(error: error)
        }
    }

    func handleKeyExchange(
        message: SecurityMessage,
        completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        guard let privateKeyData = privateKeyData,
            let publicKeyData = publicKeyData
        else {
            completion(.failure(.transportFailed))
            return
        }
        self.keyMaterial = message
        do {
            // Send key material to the accessory via Bluetooth.
            try sendKeyMaterialToAccessory(message, privateKeyData, publicKeyData)
            // Inform the system of successful transmission.
            completion(.success)
        } catch {
            session.cancel(error: error)
            completion(.failure(.transportFailed))
        }
    }

    private func sendKeyMaterialToAccessory(_ message: SecurityMessage, _ privateKey: Data, _ publicKey: Data) throws {}
}

struct TransportExtension: AccessoryTransportAppExtension {
    func accept(sessionRequest: AccessoryTransportSession.Request) -> AccessoryTransportSession.Request.Decision {
        return sessionRequest.accept {
            TransportEventHandler()
        }
    }
}

class TransportEventHandler: AccessoryTransportSession.EventHandler {
    func messageReceived(
        _ message: TransportMessage,
        completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        do {
            // Transmit encrypted notification data to the accessory over Bluetooth.
            try sendToAccessory(message.data, sessionID: message.sessionID)
            completion(.success)
        } catch {
            // Transport failed but may recover.
            completion(.failure(.transportFailed))
        }
    }

    // Cleans up when the session ends.
    func sessionInvalidated(error: (any Error)?) {
        // Clean up connection state.
    }

    private func sendToAccessory(_ data: Data, sessionID: UUID) throws {}
}

func registerForForwarding(of accessory: ASAccessory) async throws -> ForwardingDecision {
    // Prompt for permission to opt into notification forwarding.
    let center = AccessoryNotificationCenter()
    let result = try await center.requestForwarding(for: accessory)
    return result
}

func decrypt(
    _ encryptedData: Data, of featureID: UUID, securityMessage: SecurityMessage, deviceUUID: String,
    accessoryPrivateKeyData: Data
) throws -> Data {
    let cipherSuite = securityMessage.cipherSuite.description  // The value is "XWing" or "P256".
    let version = securityMessage.version.description
    let identifier = securityMessage.identifier ?? deviceUUID  // The CBPeripheral UUID.
    let text = "\(cipherSuite)-\(version)-\(identifier)"
    let protocolInfo = Data(text.utf8)
    let encapsulatedKeyFromSystem = securityMessage.key
    let privateKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: accessoryPrivateKeyData)
    let recipient = try HPKE.Recipient(
        privateKey: privateKey,
        ciphersuite: .P256_SHA256_AES_GCM_256,
        info: protocolInfo,
        encapsulatedKey: encapsulatedKeyFromSystem
    )
    // The article interpolates the Data value, which would print its length. Its prose and real accessories use the
    // text.
    let context = Data("\(text)-HostToAccessory-\(featureID)".utf8)
    let secret = try recipient.exportSecret(context: context, outputByteCount: 32)
    let sealedBox = try AES.GCM.SealedBox(combined: encryptedData)
    let plaintext = try AES.GCM.open(sealedBox, using: secret)
    return plaintext
}

/// The test is that this file compiles. It also checks the extension points that the listings declare.
@Suite struct ReceivingNotificationsListings {
    @Test func points() {
        #expect(DataProvider().declaredPoint == DataProvider.hostedPoint)
        #expect(TransportSecurity().declaredPoint == TransportSecurity.hostedPoint)
        #expect(TransportExtension().declaredPoint == TransportExtension.hostedPoint)
        #expect(DataProvider().makeNotificationHandlers().count == 1)
        let mains: [() -> Void] = [DataProvider.main, TransportSecurity.main, TransportExtension.main]
        #expect(mains.count == 3)
    }
}
